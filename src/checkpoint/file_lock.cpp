#include "checkpoint/file_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace lipizz::checkpoint {

LockState lock_state(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return errno == ENOENT ? LockState::kFree : LockState::kUnknown;
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const bool is_known = ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0;
  ::close(descriptor);
  if (!is_known) return LockState::kUnknown;
  return whole.l_type == F_UNLCK ? LockState::kFree : LockState::kHeld;
}

}  // namespace lipizz::checkpoint
