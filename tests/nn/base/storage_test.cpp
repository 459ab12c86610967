#include "nn/base/storage.hpp"

#include <gmock/gmock.h>
#include <sys/vfs.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "nn/base/shared_buffer.hpp"
#include "nn/counted_storage.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::nn::storage_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string refusal(const fs::path& folder, std::size_t n_bytes = 1) {
  try {
    const DiskStorage disk(folder);
    disk.release(disk.allocate(n_bytes), n_bytes);
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(DiskStorage, has_zeros_in_files_without_a_name) {
  const TemporaryFolder folder;
  const auto disk = std::make_shared<DiskStorage>(folder.path());
  SharedBuffer<float> buffer(5000, disk);
  EXPECT_EQ(std::ranges::count(buffer, 0.0f), 5000);
  EXPECT_TRUE(fs::is_empty(folder.path()));
  std::ranges::fill(buffer.writable(), 1.5f);
  const SharedBuffer<float> copy = buffer;
  buffer.writable()[7] = 2;
  EXPECT_EQ(copy[7], 1.5f);
  EXPECT_EQ(buffer[8], 1.5f);
}

TEST(DiskStorage, refuses_a_folder_where_nothing_can_be_put) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(folder.path()), "");
  EXPECT_THAT(refusal(folder.path() / "missing"),
              HasSubstr("missing: No such file or directory; name a folder on a disk with space"));
  EXPECT_THAT(refusal(folder.path(), std::size_t{1} << 60U),
              HasSubstr("offload_folder: 1152921504606846976 bytes cannot be put in"));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(DiskStorage, refuses_a_folder_in_memory) {
  constexpr auto kTmpfs = 0x01021994;
  struct statfs about {};
  if (statfs("/dev/shm", &about) != 0 || about.f_type != kTmpfs) {
    GTEST_SKIP() << "/dev/shm is no tmpfs here";
  }
  EXPECT_EQ(refusal("/dev/shm"),
            "offload_folder: /dev/shm is in memory (tmpfs); name a folder on a disk");
}

TEST(Storage, has_all_copies_of_what_lies_in_it) {
  const auto counted = std::make_shared<testing::CountedStorage>();
  {
    SharedBuffer<float> buffer(100, counted);
    EXPECT_EQ(counted->n_bytes(), 400U);
    SharedBuffer<float> copy = buffer;
    EXPECT_EQ(counted->n_bytes(), 400U) << "they share it";
    copy.writable()[0] = 1;
    EXPECT_EQ(counted->n_bytes(), 800U);
    const SharedBuffer<float> moved = std::move(copy);
    const SharedBuffer<float> zeros = moved.zeros();
    EXPECT_EQ(zeros[0], 0);
    EXPECT_EQ(counted->n_bytes(), 1200U);
    buffer.reset(50, counted);
    EXPECT_EQ(counted->n_bytes(), 1000U);
    buffer = SharedBuffer<float>(10);
    EXPECT_EQ(counted->n_bytes(), 800U);
  }
  EXPECT_EQ(counted->n_bytes(), 0U);
}

}  // namespace
}  // namespace lipizz::nn::storage_test
