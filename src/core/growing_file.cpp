#include "core/growing_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace lipizz {
namespace {

constexpr std::size_t kMostWaiting = 64 << 20;

bool is_shortage(int error) {
  return error == ENOSPC || error == EDQUOT;
}

}  // namespace

GrowingFile::GrowingFile(std::filesystem::path path)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail("open", errno);
}

GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      waiting_(std::exchange(other.waiting_, {})),
      obstacle_(std::exchange(other.obstacle_, 0)) {}

GrowingFile& GrowingFile::operator=(GrowingFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(waiting_, other.waiting_);
  std::swap(obstacle_, other.obstacle_);
  return *this;
}

GrowingFile::~GrowingFile() {
  if (descriptor_ < 0) return;
  write_waiting();
  ::close(descriptor_);
}

void GrowingFile::append(std::string_view text) {
  waiting_ += text;
  write_waiting();
  const bool may_wait = is_shortage(obstacle_) && waiting_.size() <= kMostWaiting;
  if (obstacle_ != 0 && !may_wait) fail("write", obstacle_);
}

void GrowingFile::sync() {
  write_waiting();
  if (obstacle_ != 0) fail("write", obstacle_);
  if (::fdatasync(descriptor_) != 0) fail("write", errno);
}

std::string GrowingFile::shortage() const {
  return obstacle_ == 0 ? "" : described("write", obstacle_);
}

std::string GrowingFile::content() const {
  std::string all;
  std::array<char, 1 << 16> part{};
  for (;;) {
    const ssize_t n =
        ::pread(descriptor_, part.data(), part.size(), static_cast<off_t>(all.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", errno);
    if (n == 0) return all + waiting_;
    all.append(part.data(), static_cast<std::size_t>(n));
  }
}

void GrowingFile::write_waiting() {
  std::size_t n_done = 0;
  obstacle_ = 0;
  while (n_done < waiting_.size() && obstacle_ == 0) {
    const ssize_t n = ::write(descriptor_, waiting_.data() + n_done, waiting_.size() - n_done);
    if (n >= 0) {
      n_done += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      obstacle_ = errno;
    }
  }
  waiting_.erase(0, n_done);
}

std::string GrowingFile::described(const char* action, int error) const {
  return "cannot " + std::string(action) + " " + path_.string() + ": " +
         std::generic_category().message(error) +
         "; check that its folder may be written to and has room";
}

void GrowingFile::fail(const char* action, int error) const {
  throw CheckpointError(described(action, error));
}

}  // namespace lipizz
