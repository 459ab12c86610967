#include "core/text_file.hpp"

#include <fstream>

#include "core/error.hpp"

namespace lipizz {

std::string read_text_file(const std::filesystem::path& file, std::string_view kind,
                           std::uintmax_t n_bytes_at_most) {
  const std::string what(kind);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw ConfigError("there is no " + what + " file " + file.string());
  }
  const std::uintmax_t n_bytes = std::filesystem::file_size(file, error);
  if (error || n_bytes > n_bytes_at_most) {
    throw ConfigError(file.string() + ": expected a " + what + " of at most " +
                      std::to_string(n_bytes_at_most) + " bytes");
  }
  std::string text(static_cast<std::size_t>(n_bytes), '\0');
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(text.data(), static_cast<std::streamsize>(text.size()))) {
    throw ConfigError("cannot read the " + what + " file " + file.string());
  }
  return text;
}

}  // namespace lipizz
