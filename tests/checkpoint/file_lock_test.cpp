#include "checkpoint/file_lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace lipizz::checkpoint::file_lock_test {
namespace {

TEST(FileLock, is_seen_while_somebody_holds_it) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "lock";
  EXPECT_FALSE(is_locked(file)) << "there is none";
  EXPECT_EQ(lock_state(file), LockState::kFree);
  EXPECT_EQ(lock_state(folder.path()), LockState::kUnknown) << "no file";
  std::ofstream(file) << "";
  EXPECT_FALSE(is_locked(file));
  const int descriptor = open(file.c_str(), O_RDWR | O_CLOEXEC);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  ASSERT_EQ(fcntl(descriptor, F_OFD_SETLK, &whole), 0);
  EXPECT_TRUE(is_locked(file));
  EXPECT_TRUE(is_locked(file)) << "asking takes nothing away";
  close(descriptor);
  EXPECT_FALSE(is_locked(file));
}

}  // namespace
}  // namespace lipizz::checkpoint::file_lock_test
