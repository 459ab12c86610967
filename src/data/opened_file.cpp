#include "data/opened_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace lipizz::data {
namespace {

std::string system_reason() {
  return std::generic_category().message(errno);
}

// A pipe must not be waited for.
int open_to_read(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

bool is_same(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

OpenedFile::OpenedFile(const std::filesystem::path& path)
    : path_(path), descriptor_(open_to_read(path)) {
  if (descriptor_ < 0) fail("it cannot be opened: " + system_reason());
  std::string reason;
  if (::fstat(descriptor_, &status_) != 0) reason = system_reason();
  if (reason.empty() && S_ISDIR(status_.st_mode)) reason = "expected a file, found a folder";
  if (reason.empty() && !S_ISREG(status_.st_mode)) reason = "it is no regular file";
  if (reason.empty()) return;
  ::close(descriptor_);
  fail(reason);
}

OpenedFile::~OpenedFile() {
  ::close(descriptor_);
}

void OpenedFile::read(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t n = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("it cannot be read: " + system_reason());
    if (n == 0) {
      expect_unchanged();
      fail("expected " + std::to_string(out.size()) + " bytes more, found its end at byte " +
           std::to_string(offset));
    }
    offset += static_cast<std::uint64_t>(n);
    out = out.subspan(static_cast<std::size_t>(n));
  }
  expect_unchanged();
}

std::vector<std::uint8_t> OpenedFile::content(std::uint64_t n_most) const {
  if (n_bytes() > n_most) {
    fail("expected at most " + std::to_string(n_most) + " bytes, found " +
         std::to_string(n_bytes()));
  }
  std::vector<std::uint8_t> bytes(n_bytes());
  read(0, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

void OpenedFile::expect_unchanged() const {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) fail("it cannot be read: " + system_reason());
  if (now.st_size != status_.st_size || !is_same(now.st_mtim, status_.st_mtim)) {
    fail("it was written to while it was read; wait until whatever writes it is done");
  }
}

void OpenedFile::fail(const std::string& what) const {
  throw DataError(path_.string() + ": " + what);
}

}  // namespace lipizz::data
