#include "nn/cpu/thread_team.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace lipizz::nn::thread_team_test {
namespace {

TEST(ThreadTeam, each_member_does_its_part_once) {
  for (const std::uint32_t n : {1U, 2U, 5U}) {
    ThreadTeam team(n);
    EXPECT_EQ(team.size(), n);
    std::vector<int> done(n, 0);
    for (int i = 0; i < 100; ++i) team.run([&](std::uint32_t member) { ++done[member]; });
    EXPECT_EQ(done, std::vector<int>(n, 100));
  }
}

TEST(ThreadTeam, members_are_threads_of_their_own_and_the_first_is_the_caller) {
  ThreadTeam team(3);
  std::vector<std::thread::id> ids(3);
  team.run([&](std::uint32_t member) { ids[member] = std::this_thread::get_id(); });
  EXPECT_EQ(ids.front(), std::this_thread::get_id());
  EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), 3U);
}

TEST(ThreadTeam, what_a_member_throws_comes_out_when_all_have_ended) {
  ThreadTeam team(3);
  std::vector<int> done(3, 0);
  const auto fail = [&](std::uint32_t member) {
    ++done[member];
    if (member > 0) throw std::runtime_error(std::to_string(member));
  };
  try {
    team.run(fail);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "1");
  }
  EXPECT_EQ(done, std::vector<int>(3, 1));
  EXPECT_NO_THROW(team.run([](std::uint32_t) {})) << "what the third threw is over as well";
}

}  // namespace
}  // namespace lipizz::nn::thread_team_test
