#include "core/host.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace lipizz::host_test {
namespace {

TEST(Host, has_the_kernel_s_name) {
  std::string name;
  std::ifstream("/proc/sys/kernel/hostname") >> name;
  EXPECT_EQ(host_name(), name);
}

TEST(Host, has_the_memory_that_the_kernel_tells) {
  std::string key;
  std::uint64_t kilobytes = 0;
  std::ifstream("/proc/meminfo") >> key >> kilobytes;
  ASSERT_EQ(key, "MemTotal:");
  EXPECT_EQ(host_memory_bytes(), kilobytes * 1024);
}

}  // namespace
}  // namespace lipizz::host_test
