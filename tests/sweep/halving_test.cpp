#include "sweep/halving.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "sample_sweep.hpp"

namespace lipizz::sweep::halving_test {
namespace {

using ::testing::ElementsAre;

const ScoreKind kKind{.metric = "modes", .judge = "a", .n_samples = 10, .numerics = "avx2"};

// Scores by combination; both seeds have the same unless told.
class HalvingTest : public ::testing::Test {
 protected:
  Halving halved(double keep = 0.5) {
    SweepFile sweep = sample_plan().sweep();
    sweep.stop_early = StopEarly{.rungs = {2, 4}, .keep = keep};
    const Plan plan(sweep);
    return halve(plan, [&](const PlannedRun& run, Generation generation) {
      const auto found = results_.find({run.combination, run.seed, generation});
      return found == results_.end() ? std::nullopt : std::optional(found->second);
    });
  }
  void set(Generation generation, const std::vector<double>& scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      for (const std::uint64_t seed : {1, 2}) {
        results_[{i, seed, generation}] = {.score = ScoreAt{scores[i], kKind}};
      }
    }
  }

  std::map<std::tuple<std::size_t, std::uint64_t, Generation>, RungResult> results_;
};

TEST(HalvingWithoutRungs, everything_goes_to_its_end) {
  const Halving halving = halve(
      sample_plan(), [](const PlannedRun&, Generation) { return std::optional<RungResult>(); });
  EXPECT_THAT(halving.target, ::testing::Each(8U));
  EXPECT_TRUE(halving.rungs.empty());
}

TEST_F(HalvingTest, at_first_all_go_to_the_first_rung) {
  const Halving halving = halved();
  EXPECT_THAT(halving.target, ::testing::Each(2U));
  EXPECT_THAT(halving.stopped_at, ::testing::Each(0U));
  ASSERT_EQ(halving.rungs.size(), 1);
  EXPECT_FALSE(halving.rungs[0].is_decided);
  EXPECT_EQ(halving.rungs[0].n_before, 6);
  EXPECT_EQ(halving.rungs[0].n_kept, 3);
}

TEST_F(HalvingTest, a_rung_is_decided_when_all_of_its_runs_are_there) {
  set(2, {6, 5, 4, 3, 2, 1});
  EXPECT_THAT(halved().target, ElementsAre(2, 2, 2, 4, 4, 4));
  EXPECT_THAT(halved().stopped_at, ElementsAre(2, 2, 2, 0, 0, 0));
  results_.erase({0, 2, 2});
  EXPECT_THAT(halved().target, ::testing::Each(2U));
}

TEST_F(HalvingTest, the_last_ones_go_to_the_end) {
  set(2, {1, 2, 3, 4, 5, 6});
  set(4, {3, 2, 1});
  const Halving halving = halved();
  EXPECT_THAT(halving.target, ElementsAre(4, 8, 8, 2, 2, 2));
  EXPECT_THAT(halving.stopped_at, ElementsAre(4, 0, 0, 2, 2, 2));
  ASSERT_EQ(halving.rungs.size(), 2);
  EXPECT_EQ(halving.rungs[1].n_before, 3);
  EXPECT_EQ(halving.rungs[1].n_kept, 2);
}

TEST_F(HalvingTest, ranks_are_by_the_mean_over_seeds) {
  set(2, {5, 5, 5, 5, 5, 5});
  results_[{0, 1, 2}].score->value = 1;
  results_[{0, 2, 2}].score->value = 9.5;  // mean 5.25
  results_[{5, 2, 2}].score->value = 4;    // mean 4.5
  EXPECT_THAT(halved(0.17).stopped_at, ElementsAre(2, 0, 2, 2, 2, 0)) << "ties: the earlier one";
}

TEST_F(HalvingTest, no_number_and_a_failed_run_lose) {
  set(2, {NAN, 100, 100, 100, 100, 0});
  results_[{5, 1, 2}] = {};
  EXPECT_THAT(halved(0.66).stopped_at, ElementsAre(2, 0, 0, 0, 0, 2));
}

TEST_F(HalvingTest, one_is_always_left) {
  set(2, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(halved(0.01).stopped_at, ElementsAre(0, 2, 2, 2, 2, 2));
  EXPECT_EQ(n_kept({.rungs = {}, .keep = 0.1}, 30), 3);
  EXPECT_EQ(n_kept({.rungs = {}, .keep = 0.5}, 5), 3);
}

TEST_F(HalvingTest, scores_of_different_kinds_are_not_ranked) {
  set(2, {1, 2, 3, 4, 5, 6});
  results_[{3, 1, 2}].score->kind.judge = "b";
  EXPECT_THAT([&] { halved(); },
              ::testing::ThrowsMessage<ConfigError>(::testing::AllOf(
                  ::testing::HasSubstr("judge a"), ::testing::HasSubstr("judge b"))));
}

}  // namespace
}  // namespace lipizz::sweep::halving_test
