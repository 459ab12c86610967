#include "setup/system_file.hpp"

#include <algorithm>
#include <fstream>

#include "core/text.hpp"

namespace lipizz::setup {

SystemFile::SystemFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines_.push_back(std::move(line));
}

std::optional<std::uint64_t> SystemFile::number_of(std::string_view key) const {
  constexpr std::string_view kBlank = " \t";
  const auto found =
      std::ranges::find_if(lines_, [&](const std::string& line) { return line.starts_with(key); });
  if (found == lines_.end()) return std::nullopt;
  std::string_view rest = std::string_view(*found).substr(key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlank), rest.size()));
  return parse_number<std::uint64_t>(rest.substr(0, rest.find_first_of(kBlank)));
}

std::optional<std::uint64_t> SystemFile::kilobytes_of(std::string_view key) const {
  const auto n = number_of(key);
  return n ? std::optional(*n * 1024) : std::nullopt;
}

}  // namespace lipizz::setup
