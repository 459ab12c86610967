#include "checkpoint/growing_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace lipizz::checkpoint {

GrowingFile::GrowingFile(std::filesystem::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail("open");
}

GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

GrowingFile& GrowingFile::operator=(GrowingFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void GrowingFile::append(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t n_written = ::write(descriptor_, text.data(), text.size());
    if (n_written < 0 && errno == EINTR) continue;
    if (n_written < 0) fail("write");
    text.remove_prefix(static_cast<std::size_t>(n_written));
  }
}

void GrowingFile::sync() const {
  if (::fdatasync(descriptor_) != 0) fail("write");
}

std::string GrowingFile::content() const {
  std::string all;
  std::array<char, 1 << 16> part{};
  for (;;) {
    const ssize_t n =
        ::pread(descriptor_, part.data(), part.size(), static_cast<off_t>(all.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read");
    if (n == 0) return all;
    all.append(part.data(), static_cast<std::size_t>(n));
  }
}

void GrowingFile::fail(const char* action) const {
  throw CheckpointError("cannot " + std::string(action) + " " + path_.string() + ": " +
                        std::generic_category().message(errno) +
                        "; check that its folder may be written to and has room");
}

}  // namespace lipizz::checkpoint
