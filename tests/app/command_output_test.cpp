#include "app/command_output.hpp"

#include <gtest/gtest.h>

namespace lipizz::app::command_output_test {
namespace {

TEST(CommandOutput, is_all_that_it_prints) {
  EXPECT_EQ(output_of_command("echo a; echo b"), "a\nb\n");
  EXPECT_EQ(output_of_command("ls /nowhere-at-all"), "") << "and no complaints";
  EXPECT_EQ(output_of_command("a-program-that-is-not-there"), "");
}

// A cluster's list of hosts has as many lines as it has nodes.
TEST(CommandOutput, of_a_thousand_hosts_is_not_cut) {
  std::string hosts;
  for (int i = 1; i <= 1000; ++i) hosts += "node" + std::to_string(i) + "\n";
  EXPECT_EQ(output_of_command("seq -f 'node%.0f' 1000"), hosts);
}

}  // namespace
}  // namespace lipizz::app::command_output_test
