#include "setup/memory_limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "system_files.hpp"

namespace lipizz::setup::memory_limits_test {
namespace {

using MemoryLimits = SystemFiles;

TEST_F(MemoryLimits, of_the_host_is_what_is_available_with_free_swap) {
  write("proc/meminfo",
        "MemTotal: 900 kB\nMemFree: 100 kB\nMemAvailable: 400 kB\nSwapFree: 30 kB\n");
  const std::vector<comm::MemoryLimit> expected{{"the memory of the host", 430 * 1024, 0}};
  EXPECT_EQ(memory_limits(root_), expected);
}

TEST_F(MemoryLimits, of_the_address_space_is_what_is_not_mapped_yet) {
  write("proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        "Max address space         1048576              unlimited            bytes     \n");
  write("proc/self/status", "Name:\tlipizz\nVmPeak:\t     900 kB\nVmSize:\t     500 kB\n");
  ASSERT_EQ(memory_limits(root_).size(), 1U);
  EXPECT_EQ(memory_limits(root_)[0].free_bytes, 524U * 1024);
  EXPECT_EQ(memory_limits(root_)[0].shared_by, static_cast<std::uint64_t>(getpid()));
  write("proc/self/limits", "Max address space         unlimited            unlimited   bytes\n");
  EXPECT_TRUE(memory_limits(root_).empty());
}

TEST_F(MemoryLimits, of_what_the_kernel_promises_holds_where_it_is_strict) {
  write("proc/meminfo", "CommitLimit: 800 kB\nCommitted_AS: 300 kB\n");
  for (const char* mode : {"0\n", "1\n"}) {
    write("proc/sys/vm/overcommit_memory", mode);
    EXPECT_TRUE(memory_limits(root_).empty());
  }
  write("proc/sys/vm/overcommit_memory", "2\n");
  ASSERT_EQ(memory_limits(root_).size(), 1U);
  EXPECT_EQ(memory_limits(root_)[0].free_bytes, 500U * 1024);
}

TEST_F(MemoryLimits, of_a_system_that_tells_nothing_are_none) {
  EXPECT_TRUE(memory_limits(root_).empty());
}

TEST(MemoryLimitsHere, a_limit_of_this_process_is_seen) {
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  rlimit lower = before;
  lower.rlim_cur = std::min<rlim_t>(before.rlim_max, rlim_t{1} << 45);
  if (setrlimit(RLIMIT_AS, &lower) != 0) GTEST_SKIP() << "limits cannot be set here";
  const std::vector<comm::MemoryLimit> limits = memory_limits();
  setrlimit(RLIMIT_AS, &before);
  const auto found = std::ranges::find_if(limits, [](const comm::MemoryLimit& limit) {
    return limit.name.find("ulimit -v") != std::string::npos;
  });
  ASSERT_NE(found, limits.end());
  EXPECT_GT(found->free_bytes, 0U);
  EXPECT_LT(found->free_bytes, lower.rlim_cur);
}

}  // namespace
}  // namespace lipizz::setup::memory_limits_test
