#include "coev/opponents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coev/operator_conformance.hpp"
#include "coev/opponents/changing_share.hpp"
#include "coev/opponents/history.hpp"
#include "coev/opponents/partner_share.hpp"
#include "coev/opponents/uniform.hpp"

namespace lipizz::coev::opponents_test {
namespace {

using ::testing::Contains;

constexpr std::uint32_t kDraws = 10'000;

// How often each of five members is drawn.
std::vector<int> counts_of(const Configured<Opponents>& opponents, Generation generation = 1) {
  const Random random(1, Purpose::kGeneratorOpponent, {0}, 1);
  std::vector<int> counts(5);
  for (std::uint32_t step = 0; step < kDraws; ++step) {
    ++counts[opponents->draw({5, random, step, generation}, opponents.values())];
  }
  return counts;
}

void expect_share(int count, double share) {
  EXPECT_NEAR(count, share * kDraws, 4 * std::sqrt(kDraws * share * (1 - share)));
}

TEST(Opponents, uniform_draws_each_member_equally_often) {
  for (const int count : counts_of(kUniformOpponents)) expect_share(count, 0.2);
}

TEST(Opponents, partner_share_draws_the_partner_as_often_as_it_says) {
  const std::vector<int> counts = counts_of({kPartnerShareOpponents, {0.6}});
  expect_share(counts[0], 0.6);
  for (int member = 1; member < 5; ++member) expect_share(counts[member], 0.1);
  EXPECT_EQ(counts_of({kPartnerShareOpponents, {0}})[0], 0);
  EXPECT_EQ(counts_of({kPartnerShareOpponents, {1}})[0], int{kDraws});
}

TEST(Opponents, a_changing_share_goes_from_one_to_the_other) {
  const Configured<Opponents> changing{kChangingShareOpponents, {1, 0.5, 11}};
  EXPECT_EQ(counts_of(changing, 1)[0], int{kDraws});
  expect_share(counts_of(changing, 6)[0], 0.75);
  expect_share(counts_of(changing, 11)[0], 0.5);
  expect_share(counts_of(changing, 500)[0], 0.5);
}

TEST(Opponents, history_draws_past_networks_and_no_neighbour) {
  const Configured<Opponents> opponents{kHistoryOpponents, {0.6, 4, 1}};
  const Random random(1, Purpose::kGeneratorOpponent, {0}, 1);
  std::vector<int> counts(7);  // three members, four of the past
  for (std::uint32_t step = 0; step < kDraws; ++step) {
    ++counts[opponents->draw({3, random, step, 9, 4}, opponents.values())];
  }
  expect_share(counts[0], 0.6);
  EXPECT_EQ(counts[1] + counts[2], 0);
  for (int past = 3; past < 7; ++past) expect_share(counts[past], 0.1);
  EXPECT_EQ(counts_of(opponents)[0], int{kDraws});  // where there is no past yet
}

TEST(Opponents, history_asks_for_as_many_networks_as_it_says) {
  const HistorySpec spec = kHistoryOpponents.history(std::vector<double>{0.5, 7, 3});
  EXPECT_EQ(spec.size, 7U);
  EXPECT_EQ(spec.period, 3U);
}

TEST(Opponents, every_row_conforms) {
  for (const Opponents* row : opponents()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

TEST(Opponents, the_suite_finds_each_property_broken) {
  Opponents spoiled = kUniformOpponents;
  spoiled.draw = [](const OpponentsInput& input, ParameterValues) {
    static std::size_t n_calls = 0;
    return n_calls++ % input.n_members;
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("deterministic"));
  spoiled.draw = [](const OpponentsInput&, ParameterValues) -> std::size_t { return 1; };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("gives a member"));
}

}  // namespace
}  // namespace lipizz::coev::opponents_test
