#include "comm/shared_segments.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/host.hpp"

namespace lipizz::comm::shared_segments_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJob = "OMPI_MCA_ess_base_jobid";
constexpr const char* kFolder = "OMPI_MCA_btl_vader_backing_directory";

class SharedSegments : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "lipizz-test-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    setenv(kFolder, folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv(kFolder);
    unsetenv(kJob);
    fs::remove_all(folder_);
  }

  std::string make(const std::string& name) const {
    std::ofstream(folder_ / name) << "bytes";
    return name;
  }
  bool is_there(const std::string& name) const { return fs::exists(folder_ / name); }

  fs::path folder_;
  const std::string user_ = std::to_string(getuid());
};

TEST_F(SharedSegments, the_job_is_the_number_that_mpirun_gave_it) {
  unsetenv(kJob);
  EXPECT_EQ(open_mpi_job(), std::nullopt);
  setenv(kJob, "3735928559", 1);
  EXPECT_EQ(open_mpi_job(), 0xdeadbeefU);
  setenv(kJob, "none", 1);
  EXPECT_EQ(open_mpi_job(), std::nullopt);
}

TEST_F(SharedSegments, those_of_the_job_go_and_no_others) {
  const std::string first = make("vader_segment.node1." + user_ + ".deadbeef.0");
  const std::string last = make("vader_segment.node1." + user_ + ".deadbeef.11");
  const std::string of_another_job = make("vader_segment.node1." + user_ + ".deadbee.0");
  const std::string of_another_user = make("vader_segment.node1.77" + user_ + ".deadbeef.0");
  const std::string something_else = make("segment.node1." + user_ + ".deadbeef.0");
  remove_shared_segments(0xdeadbeefU);
  EXPECT_FALSE(is_there(first));
  EXPECT_FALSE(is_there(last));
  EXPECT_TRUE(is_there(of_another_job));
  EXPECT_TRUE(is_there(of_another_user));
  EXPECT_TRUE(is_there(something_else));
}

// One of this host and user, so many minutes old.
class StaleSegments : public SharedSegments {
 protected:
  std::string make_old(const std::string& job, int minutes = 5) const {
    const std::string name = make("vader_segment." + host_name() + "." + user_ + "." + job);
    fs::last_write_time(folder_ / name, now_ - std::chrono::minutes(minutes));
    return name;
  }
  const fs::file_time_type now_ = fs::file_time_type::clock::now();
};

TEST_F(StaleSegments, those_that_nobody_has_mapped_go) {
  const std::string dead = make_old("deadbeef.0");
  const std::string young = make_old("deadbeef.1", 0);
  const std::string living = make_old("11feed.0");
  const int descriptor = ::open((folder_ / living).c_str(), O_RDONLY);
  void* const mapped = ::mmap(nullptr, 1, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  ASSERT_NE(mapped, MAP_FAILED);
  remove_stale_segments(now_);
  EXPECT_FALSE(is_there(dead));
  EXPECT_TRUE(is_there(young));
  EXPECT_TRUE(is_there(living));
  ::munmap(mapped, 1);
  remove_stale_segments(now_);
  EXPECT_FALSE(is_there(living));
}

TEST_F(StaleSegments, those_of_others_stay) {
  for (const std::string& name : {"vader_segment.another-host." + user_ + ".deadbeef.0",
                                  "vader_segment." + host_name() + ".77" + user_ + ".deadbeef.0",
                                  "precious." + host_name() + "." + user_ + ".deadbeef.0"}) {
    make(name);
    fs::last_write_time(folder_ / name, now_ - std::chrono::hours(1));
    remove_stale_segments(now_);
    EXPECT_TRUE(is_there(name));
  }
}

TEST_F(SharedSegments, a_folder_that_is_not_there_is_no_error) {
  setenv(kFolder, (folder_ / "none").c_str(), 1);
  EXPECT_NO_THROW(remove_shared_segments(0xdeadbeefU));
}

}  // namespace
}  // namespace lipizz::comm::shared_segments_test
