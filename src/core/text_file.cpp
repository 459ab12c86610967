#include "core/text_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/text.hpp"

namespace lipizz {
namespace {

namespace fs = std::filesystem;

class OpenFile {
 public:
  // A pipe that nobody writes into is then empty, instead of being waited for.
  explicit OpenFile(const fs::path& file)
      : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  [[nodiscard]] int descriptor() const { return descriptor_.get(); }

  /// Up to `n_most` bytes, fewer only at the end. Waits for whoever writes. False: errno says why.
  [[nodiscard]] bool read(std::size_t n_most, std::string& text) const {
    std::array<char, 1U << 16> piece{};
    while (text.size() < n_most) {
      const std::size_t n_wanted = std::min(piece.size(), n_most - text.size());
      const ssize_t n_read = ::read(descriptor(), piece.data(), n_wanted);
      if (n_read == 0) return true;
      if (n_read > 0) {
        text.append(piece.data(), static_cast<std::size_t>(n_read));
      } else if (errno == EAGAIN) {
        pollfd more{.fd = descriptor(), .events = POLLIN, .revents = 0};
        static_cast<void>(::poll(&more, 1, -1));
      } else if (errno != EINTR) {
        return false;
      }
    }
    return true;
  }

 private:
  FileDescriptor descriptor_;
};

[[noreturn]] void fail(const fs::path& file, const std::string& what, int reason) {
  const std::string name = shortened(file.string());
  std::error_code none;
  if (reason == ENOENT && fs::is_symlink(fs::symlink_status(file, none))) {
    throw ConfigError("the " + what + " file " + name + " is a link to " +
                      shortened(fs::read_symlink(file, none).string()) + ", which does not exist");
  }
  if (reason == ENOENT) throw ConfigError("there is no " + what + " file " + name);
  throw ConfigError("cannot read the " + what + " file " + name + ": " +
                    std::generic_category().message(reason));
}

}  // namespace

std::string read_text_file(const fs::path& file, std::string_view kind,
                           std::uintmax_t n_bytes_at_most) {
  const std::string what(kind);
  const OpenFile opened(file);
  struct stat about {};
  if (opened.descriptor() < 0 || ::fstat(opened.descriptor(), &about) != 0) {
    fail(file, what, errno);
  }
  if (S_ISDIR(about.st_mode)) {
    throw ConfigError(file.string() + ": expected a " + what + " file, found a folder");
  }
  std::string text;
  if (!opened.read(static_cast<std::size_t>(n_bytes_at_most) + 1, text)) fail(file, what, errno);
  if (text.size() > n_bytes_at_most) {
    throw ConfigError(file.string() + ": expected a " + what + " of at most " +
                      std::to_string(n_bytes_at_most) + " bytes");
  }
  return text;
}

}  // namespace lipizz
