#include "nn/base/disk_storage.hpp"

#include <gmock/gmock.h>
#include <sys/vfs.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "nn/base/shared_buffer.hpp"
#include "nn/counted_storage.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::nn::disk_storage_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string refusal(const fs::path& folder, std::size_t n_bytes = 1) {
  try {
    const DiskStorage disk(folder);
    disk.check();
    disk.release(disk.allocate(n_bytes), n_bytes);
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

// A folder of a test, on a disk.
class DiskStorageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (refusal(folder_.path()) != "") GTEST_SKIP() << "temporary files are in memory here";
  }
  TemporaryFolder folder_;
};

TEST_F(DiskStorageTest, has_elements_in_files_without_a_name) {
  SharedBuffer<float> buffer(5000, std::make_shared<DiskStorage>(folder_.path()));
  EXPECT_EQ(std::ranges::count(buffer, 0.0f), 5000);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  std::ifstream maps("/proc/self/maps");
  const std::string all(std::istreambuf_iterator<char>(maps), {});
  EXPECT_THAT(all, ::testing::ContainsRegex(folder_.path().string() + "/lipizz-.* .deleted."));
  std::ranges::fill(buffer.writable(), 1.5f);
  const SharedBuffer<float> copy = buffer;
  buffer.writable()[7] = 2;
  EXPECT_EQ(copy[7], 1.5f);
  EXPECT_EQ(buffer[8], 1.5f);
}

TEST_F(DiskStorageTest, refuses_a_folder_where_nothing_can_be_put) {
  EXPECT_THAT(refusal(folder_.path() / "missing"),
              HasSubstr("missing: No such file or directory; name a folder on a disk with space"));
  EXPECT_THAT(refusal(folder_.path(), std::size_t{1} << 60U),
              HasSubstr("offload_folder: nothing more can be put in"));
  EXPECT_TRUE(fs::is_empty(folder_.path()));
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
    EXPECT_EQ(moved.storage(), counted);
    buffer.reset(50, counted);
    EXPECT_EQ(counted->n_bytes(), 600U);
    buffer = SharedBuffer<float>(10);
    EXPECT_EQ(counted->n_bytes(), 400U);
    EXPECT_EQ(buffer.storage(), nullptr);
  }
  EXPECT_EQ(counted->n_bytes(), 0U);
}

}  // namespace
}  // namespace lipizz::nn::disk_storage_test
