#include "setup/system_file.hpp"

#include "system_files.hpp"

namespace lipizz::setup::system_file_test {
namespace {

using SystemFileTest = SystemFiles;

TEST_F(SystemFileTest, tells_the_number_after_its_key) {
  write("meminfo", "MemTotal:       32768 kB\nMemFree: 17 kB\n");
  const SystemFile file(root_ / "meminfo");
  EXPECT_EQ(file.lines().size(), 2U);
  EXPECT_EQ(file.number_of("MemTotal:"), 32768U);
  EXPECT_EQ(file.kilobytes_of("MemFree:"), 17U * 1024);
  EXPECT_EQ(file.number_of("Mem"), std::nullopt);
  EXPECT_EQ(file.number_of("SwapFree:"), std::nullopt);
}

TEST_F(SystemFileTest, a_word_is_no_number) {
  write("memory.max", "max\n");
  EXPECT_EQ(SystemFile(root_ / "memory.max").number_of(""), std::nullopt);
  write("memory.max", "4096\n");
  EXPECT_EQ(SystemFile(root_ / "memory.max").number_of(""), 4096U);
}

TEST_F(SystemFileTest, one_that_is_not_there_has_no_lines) {
  EXPECT_TRUE(SystemFile(root_ / "nowhere").lines().empty());
}

TEST(Less, stops_at_nothing) {
  EXPECT_EQ(less(5, 3), 2U);
  EXPECT_EQ(less(3, 5), 0U);
}

}  // namespace
}  // namespace lipizz::setup::system_file_test
