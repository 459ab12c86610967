#include "app/host_check.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

namespace lipizz::app::host_check_test {
namespace {

using ::testing::ElementsAre;

constexpr std::chrono::duration<double> kForEver(1e6);

std::vector<std::string> shell(const std::string& script) {
  return {"sh", "-c", script};
}

TEST(HostCheck, those_that_answer_are_left_in_their_order) {
  const std::vector<Host> hosts{{"a", 2}, {"dead", 1}, {"c", 3}};
  const auto answers = [](const Host& host) {
    return shell(host.name == "dead" ? "exit 1" : "test $LIPIZZ_TEST = here");
  };
  EXPECT_THAT(answering(hosts, answers, {"LIPIZZ_TEST=here"}, kForEver),
              ElementsAre(Host{"a", 2}, Host{"c", 3}));
  EXPECT_THAT(answering({}, answers, {}, kForEver), ElementsAre());
}

// Each end of a pipe waits until the other one is opened.
TEST(HostCheck, all_are_asked_at_the_same_time) {
  const std::string pipe = ::testing::TempDir() + "lipizz_host_check";
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto meets = [&](const Host& host) {
    return shell(host.name == "reader" ? "read line < " + pipe : "echo here > " + pipe);
  };
  EXPECT_EQ(answering({{"reader", 1}, {"writer", 1}}, meets, {}, kForEver).size(), 2U);
  std::filesystem::remove(pipe);
}

TEST(HostCheck, more_than_fit_at_once_are_asked_in_turn) {
  const std::vector<Host> hosts(130, Host{"a", 1});
  const auto answers = [](const Host&) { return std::vector<std::string>{"true"}; };
  EXPECT_EQ(answering(hosts, answers, {}, kForEver).size(), 130U);
}

TEST(HostCheck, a_silent_one_is_given_up) {
  const auto sleeps = [](const Host&) { return shell("exec sleep 100000"); };
  EXPECT_THAT(answering({{"silent", 1}}, sleeps, {}, std::chrono::duration<double>(0)),
              ElementsAre());
}

}  // namespace
}  // namespace lipizz::app::host_check_test
