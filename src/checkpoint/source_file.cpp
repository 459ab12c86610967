#include "checkpoint/source_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>

#include "core/error.hpp"
#include "core/host.hpp"

namespace lipizz::checkpoint {
namespace {

Bytes room_for(std::uint64_t n_bytes, const std::string& place) {
  try {
    if (n_bytes < host_memory_bytes()) return Bytes(n_bytes);
  } catch (const std::bad_alloc&) {  // told below, as is a length that no buffer can have
  } catch (const std::length_error&) {
  }
  throw CheckpointError(place + ": expected a file that fits into memory, found one of " +
                        std::to_string(n_bytes) +
                        " bytes; the file is damaged or not written by lipizz: use another copy");
}

}  // namespace

SourceFile::SourceFile(const std::filesystem::path& path)
    : place_(path.string()), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat status {};
  if (descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    n_bytes_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  const int error = descriptor_ < 0 ? errno : ENOENT;
  if (descriptor_ >= 0) ::close(descriptor_);
  fail(error);
}

SourceFile::~SourceFile() {
  ::close(descriptor_);
}

void SourceFile::fail(int error) const {
  if (error == ENOENT || error == ENOTDIR) {
    throw CheckpointError(place_ + ": expected a file, found none; check the path");
  }
  throw CheckpointError(place_ + ": cannot be read: " + std::generic_category().message(error) +
                        "; check its permissions, and its disk");
}

Bytes SourceFile::first(std::uint64_t n_bytes) const {
  Bytes bytes = room_for(std::min(n_bytes, n_bytes_), place_);
  std::size_t n_read = 0;
  while (n_read < bytes.size()) {
    const ssize_t n = ::pread(descriptor_, bytes.data() + n_read, bytes.size() - n_read,
                              static_cast<off_t>(n_read));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(errno);
    if (n == 0) break;  // it was cut meanwhile
    n_read += static_cast<std::size_t>(n);
  }
  bytes.resize(n_read);
  return bytes;
}

}  // namespace lipizz::checkpoint
