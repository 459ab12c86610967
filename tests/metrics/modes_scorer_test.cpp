#include "metrics/modes_scorer.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "metrics/support.hpp"

namespace lipizz::metrics::modes_scorer_test {
namespace {

using ::testing::ElementsAre;
using testing::LinePoints;

// Modes at (0, 0), (1, 0) and (2, 0), each of sigma 0.1.
Score score_of(const std::vector<float>& samples) {
  const LinePoints data;
  const auto scorer = make_modes_scorer(data);
  std::vector<float> features(samples.size());
  scorer->features(samples, features);
  return scorer->score(scorer->statistics(features));
}

double detail(const Score& score, std::string_view name) {
  for (const Score::Detail& d : score.details) {
    if (d.name == name) return d.value;
  }
  ADD_FAILURE() << "no detail " << name;
  return 0;
}

TEST(ModesScorer, counts_what_lies_near_which_mode) {
  // At the first mode; 0.29 and 0.31 beside it; at the second, 0.4 above it; none near the third.
  const Score score = score_of({0, 0, 0, 0.29f, -0.31f, 0, 1, 0, 1, 0.4f});
  EXPECT_EQ(detail(score, "modes"), 2);
  EXPECT_DOUBLE_EQ(detail(score, "within_3_sigma"), 3 / 5.0);
  const double kl = 0.6 * std::log(0.6 * 3) + 0.4 * std::log(0.4 * 3);
  EXPECT_NEAR(detail(score, "reverse_kl"), kl, 1e-6);
  EXPECT_NEAR(score.value, kl + 0.4, 1e-6);
  EXPECT_THAT(score.class_shares, ElementsAre(0.4, 0.2, 0));
}

TEST(ModesScorer, one_mode_alone_costs_the_logarithm_of_their_number) {
  EXPECT_NEAR(score_of({2, 0, 2, 0}).value, std::log(3.0), 1e-6);
}

TEST(ModesScorer, real_samples_score_zero) {
  const LinePoints data;
  const auto scorer = make_modes_scorer(data);
  EXPECT_NEAR(scorer->floor(9).value, 0, 1e-6);
  EXPECT_EQ(scorer->floor(9).n_samples, 9U);
  EXPECT_NEAR(scorer->floor(1'000'000).value, 0, 1e-6);
  EXPECT_EQ(scorer->floor(1'000'000).n_samples, 9U) << "as many as there are";
  EXPECT_NEAR(scorer->floor(1).value, std::log(3.0), 1e-6);
}

TEST(ModesScorer, a_sample_that_is_not_finite_loses_to_everything) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isnan(score_of({0, 0, nan, 0}).value));
  EXPECT_TRUE(std::isnan(score_of({0, 0, 1, infinity}).value));
  EXPECT_TRUE(std::isnan(detail(score_of({nan, nan}), "modes")));
}

TEST(ModesScorer, a_mixture_s_statistics_are_those_of_its_samples) {
  const LinePoints data;
  const auto scorer = make_modes_scorer(data);
  const std::vector<float> samples{0, 0, 0.5f, 0.2f, 1, 0, 2, 0.1f};
  const std::vector<Statistics> parts{scorer->statistics(std::span(samples).first(2)),
                                      scorer->statistics(std::span(samples).last(6))};
  const Statistics mixed = mix(std::vector{0.25, 0.75}, parts);
  const Statistics whole = scorer->statistics(samples);
  for (std::size_t i = 0; i < whole.values.size(); ++i) {
    EXPECT_NEAR(mixed.values[i], whole.values[i], 1e-15);
  }
}

TEST(ModesScorer, other_modes_are_another_judge) {
  const auto hash_with = [](data::Mode first) {
    const LinePoints data(first);
    return make_modes_scorer(data)->judge_hash();
  };
  const std::uint64_t hash = hash_with({0, 0, 0.1f});
  EXPECT_EQ(hash, hash_with({0, 0, 0.1f})) << "of another dataset with the same modes";
  EXPECT_NE(hash, hash_with({0.5f, 0, 0.1f}));
  EXPECT_NE(hash, hash_with({0, 0.5f, 0.1f}));
  EXPECT_NE(hash, hash_with({0, 0, 0.2f}));
  EXPECT_NE(hash, 0U);
}

}  // namespace
}  // namespace lipizz::metrics::modes_scorer_test
