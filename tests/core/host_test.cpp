#include "core/host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

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

double load_of_the_kernel() {
  double last_minute = -1;
  std::ifstream("/proc/loadavg") >> last_minute;
  return last_minute;
}

TEST(Host, has_the_load_and_the_cores_that_the_kernel_tells) {
  // It is computed anew every five seconds, and told there with two digits.
  const double before = load_of_the_kernel();
  const double load = host_load();
  const double after = load_of_the_kernel();
  EXPECT_LE(std::min(std::abs(load - before), std::abs(load - after)), 0.01);
  std::ifstream file("/proc/cpuinfo");
  std::uint32_t n_cores = 0;
  for (std::string line; std::getline(file, line);) n_cores += line.starts_with("processor");
  EXPECT_EQ(host_cores(), n_cores);
}

TEST(Host, has_temporary_files_where_its_environment_says) {
  const char* const before = std::getenv("TMPDIR");
  const std::string named = before == nullptr ? "" : before;
  setenv("TMPDIR", "/somewhere/else", 1);
  EXPECT_EQ(temporary_folder(), "/somewhere/else");
  setenv("TMPDIR", "", 1);
  EXPECT_EQ(temporary_folder(), "/tmp");
  unsetenv("TMPDIR");
  EXPECT_EQ(temporary_folder(), "/tmp");
  if (before != nullptr) setenv("TMPDIR", named.c_str(), 1);
}

}  // namespace
}  // namespace lipizz::host_test
