#include "sweep/process_identity.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lipizz::sweep::process_identity_test {
namespace {

TEST(ProcessIdentity, this_one_lives) {
  const ProcessIdentity own = this_process();
  EXPECT_EQ(own.pid, static_cast<std::uint32_t>(getpid()));
  EXPECT_FALSE(own.boot.empty());
  EXPECT_EQ(is_alive(own), true);
}

TEST(ProcessIdentity, one_that_has_ended_does_not) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ProcessIdentity ended = this_process();
  ended.pid = static_cast<std::uint32_t>(child);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  EXPECT_EQ(is_alive(ended), false) << "nobody has asked for its exit code yet";
  waitpid(child, nullptr, 0);
  EXPECT_EQ(is_alive(ended), false);
}

TEST(ProcessIdentity, another_one_of_its_number_is_not_it) {
  ProcessIdentity before = this_process();
  --before.start;
  EXPECT_EQ(is_alive(before), false);
}

TEST(ProcessIdentity, of_another_kernel_or_container_it_cannot_be_told) {
  ProcessIdentity elsewhere = this_process();
  elsewhere.boot = "another";
  EXPECT_EQ(is_alive(elsewhere), std::nullopt);
  elsewhere = this_process();
  elsewhere.pid_namespace = "pid:[1]";
  EXPECT_EQ(is_alive(elsewhere), std::nullopt);
}

TEST(ProcessIdentity, its_start_is_the_22nd_field) {
  const std::string behind = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
  EXPECT_EQ(start_in("7 (name)" + behind), 4711U);
  EXPECT_EQ(start_in("7 (a ) name)" + behind), 4711U);
  EXPECT_EQ(start_in("7 (name) Z" + behind.substr(2)), std::nullopt);
  EXPECT_EQ(start_in("7 (name) S 1 2"), std::nullopt);
  EXPECT_EQ(start_in(""), std::nullopt);
}

}  // namespace
}  // namespace lipizz::sweep::process_identity_test
