#include "coev/mixture_weighting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "coev/mixture_weighting/best_member.hpp"
#include "coev/mixture_weighting/equal.hpp"
#include "coev/mixture_weighting/evolution_strategy.hpp"
#include "coev/mixture_weighting/genetic.hpp"
#include "coev/mixture_weighting/pattern_search.hpp"
#include "coev/mixture_weighting/recall.hpp"
#include "coev/operator_conformance.hpp"

namespace lipizz::coev::mixture_weighting_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

const Random kRandom(1, Purpose::kMixtureStep, {0}, 1);

void evolve_weights(std::vector<double>& weights, double sigma, std::uint32_t tries,
                    const Random& random,
                    const std::function<double(std::span<const double>)>& score) {
  const std::vector<double> values{sigma, static_cast<double>(tries)};
  kEvolutionStrategyWeighting.find(weights, {random, score}, values);
}

TEST(EvolutionStrategy, evolves_towards_the_best_score) {
  const std::vector<double> best{0.6, 0.3, 0.1};
  const auto distance = [&](std::span<const double> w) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += (w[i] - best[i]) * (w[i] - best[i]);
    return sum;
  };
  std::vector<double> weights{1 / 3.0, 1 / 3.0, 1 / 3.0};
  evolve_weights(weights, 0.05, 400, kRandom, distance);
  EXPECT_THAT(weights, Pointwise(DoubleNear(0.02), best));
  EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1, 1e-12);
}

TEST(EvolutionStrategy, takes_the_step_that_a_hand_would) {
  const std::vector<double> start{0.5, 0.5};
  const double a = 0.5 + 0.1 * kRandom.normal(0, 0);
  const double b = 0.5 + 0.1 * kRandom.normal(0, 1);
  std::vector<double> weights = start;
  const auto first_is_better = [&](std::span<const double> w) {
    return w[0] == start[0] ? 1.0 : 0.0;
  };
  evolve_weights(weights, 0.1, 1, kRandom, first_is_better);
  EXPECT_THAT(weights, ElementsAre(DoubleEq(a / (a + b)), DoubleEq(b / (a + b))));
}

TEST(EvolutionStrategy, keeps_its_weights_unless_others_are_strictly_better) {
  const std::vector<double> start{0.2, 0.8};
  for (const double score : {1.0, std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<double> weights = start;
    evolve_weights(weights, 0.1, 50, kRandom, [&](std::span<const double>) { return score; });
    EXPECT_EQ(weights, start);
  }
}

TEST(EvolutionStrategy, never_weighs_below_zero) {
  std::vector<double> weights{0.5, 0.5};
  evolve_weights(weights, 5, 100, kRandom, [](std::span<const double> w) {
    EXPECT_GE(w[0], 0);
    EXPECT_GE(w[1], 0);
    EXPECT_NEAR(w[0] + w[1], 1, 1e-12);
    return w[0];
  });
  EXPECT_EQ(weights[0], 0);  // clipped, which is as good as this score gets
}

TEST(EqualWeighting, leaves_weights_as_they_are) {
  std::vector<double> weights{0.5, 0.5};
  const std::function<double(std::span<const double>)> unused;
  kEqualWeighting.find(weights, {kRandom, unused}, {});
  EXPECT_THAT(weights, ElementsAre(0.5, 0.5));
}

using Score = std::function<double(std::span<const double>)>;

std::vector<double> found_by(const MixtureWeighting& weighting, const std::vector<double>& values,
                             const Score& score, std::size_t n_members) {
  std::vector<double> weights(n_members, 1.0 / static_cast<double>(n_members));
  weighting.find(weights, {kRandom, score}, values);
  return weights;
}

// The squared distance from these weights.
Score distance_from(const std::vector<double>& best) {
  return [best](std::span<const double> w) {
    double sum = 0;
    for (std::size_t i = 0; i < best.size(); ++i) sum += (w[i] - best[i]) * (w[i] - best[i]);
    return sum;
  };
}

TEST(BestMember, has_all_the_weight) {
  EXPECT_THAT(found_by(kBestMemberWeighting, {}, distance_from({0.1, 0.2, 0.6, 0.1}), 4),
              ElementsAre(0, 0, 1, 0));  // though equal ones score better
  EXPECT_THAT(found_by(kBestMemberWeighting, {}, distance_from({0, 0.1, 0.9, 0}), 4),
              ElementsAre(0, 0, 1, 0));
}

// Where the published search, of sigma 0.01 and 10 tries, has hardly moved.
TEST(PatternSearch, finds_a_best_member_and_best_weights) {
  for (const std::vector<double>& best : std::vector<std::vector<double>>{{0, 0, 1, 0, 0},
                                                                          {0.5, 0.5, 0, 0, 0},
                                                                          {0.2, 0.2, 0.2, 0.2, 0.2},
                                                                          {0.6, 0.3, 0.1, 0, 0}}) {
    EXPECT_THAT(found_by(kPatternSearchWeighting, {0.5, 0.02}, distance_from(best), 5),
                Pointwise(DoubleNear(0.05), best));
  }
  const std::vector<double> published =
      found_by(kEvolutionStrategyWeighting, {0.01, 10}, distance_from({0, 0, 1, 0, 0}), 5);
  EXPECT_LT(published[2], 0.3);
}

TEST(PatternSearch, asks_for_a_bounded_number_of_scores) {
  int n_asked = 0;
  const Score distance = distance_from({0.6, 0.3, 0.1, 0, 0});
  found_by(
      kPatternSearchWeighting, {0.5, 0.05},
      [&](std::span<const double> w) {
        ++n_asked;
        return distance(w);
      },
      5);
  EXPECT_LT(n_asked, 200);
}

std::vector<double> genetic_values(double population, double generations) {
  return {population, generations, 3, 0.8, 1.5, 0.1};
}

TEST(Genetic, leaves_members_out_and_finds_the_weights_of_the_others) {
  for (const std::vector<double>& best :
       std::vector<std::vector<double>>{{0, 0, 1, 0, 0, 0, 0, 0},
                                        {0.5, 0, 0, 0, 0, 0, 0.5, 0},
                                        {0.6, 0, 0.3, 0, 0, 0.1, 0, 0}}) {
    const std::vector<double> found =
        found_by(kGeneticWeighting, genetic_values(50, 100), distance_from(best), best.size());
    EXPECT_THAT(found, Pointwise(DoubleNear(0.05), best));
    for (std::size_t i = 0; i < best.size(); ++i) EXPECT_EQ(found[i] == 0, best[i] == 0) << i;
  }
}

// All children are the best individual's, which lacks the second member.
TEST(Genetic, takes_a_member_back_that_was_left_out) {
  const std::vector<double> best{0.9, 0.1};
  std::vector<double> weights{1, 0};
  kGeneticWeighting.find(weights, {kRandom, distance_from(best)},
                         std::vector<double>{4, 50, 100, 0, 1.5, 0.1});
  EXPECT_THAT(weights, Pointwise(DoubleNear(0.05), best));
}

TEST(Genetic, begins_with_the_given_weights_equal_ones_and_the_best_member) {
  for (const std::vector<double>& best : std::vector<std::vector<double>>{
           {0.25, 0.25, 0.25, 0.25}, {0, 0, 1, 0}, {0.1, 0.2, 0.3, 0.4}}) {
    std::vector<double> weights{0.1, 0.2, 0.3, 0.4};
    kGeneticWeighting.find(weights, {kRandom, distance_from(best)}, genetic_values(4, 0));
    EXPECT_EQ(weights, best);
  }
}

TEST(Genetic, keeps_what_is_as_good) {
  const std::vector<double> start{0.3, 0.7};
  std::vector<double> weights = start;
  const Score flat = [](std::span<const double>) { return 1.0; };
  kGeneticWeighting.find(weights, {kRandom, flat}, genetic_values(10, 10));
  EXPECT_EQ(weights, start);
}

TEST(Genetic, asks_for_as_many_scores_as_its_parameters_say) {
  int n_asked = 0;
  const Score count = [&](std::span<const double>) { return ++n_asked; };
  found_by(kGeneticWeighting, genetic_values(10, 7), count, 5);
  EXPECT_EQ(n_asked, 9 + 5 + 7 * 9);  // the best member by five, and the best of all stays
}

TEST(Genetic, without_mutation_has_the_weights_of_the_first_individuals_alone) {
  const Score first = [](std::span<const double> w) { return -w[0]; };
  const std::vector<double> found = found_by(kGeneticWeighting, {4, 20, 1, 0, 0, 0}, first, 3);
  EXPECT_THAT(found, ElementsAre(1, 0, 0));
}

std::vector<double> weights_by_recall(const std::vector<double>& recalls) {
  std::vector<double> weights(recalls.size(), 1.0 / static_cast<double>(recalls.size()));
  const Score no_score;
  kRecallWeighting.find(weights, {kRandom, no_score, [&](std::size_t i) { return recalls[i]; }},
                        {});
  return weights;
}

TEST(RecallWeighting, weights_are_in_proportion_to_recall) {
  EXPECT_THAT(weights_by_recall({0.5, 0.25, 0, 0.25}), ElementsAre(0.5, 0.25, 0, 0.25));
  EXPECT_THAT(weights_by_recall({0.9, 0.3}), ElementsAre(DoubleEq(0.75), DoubleEq(0.25)));
}

TEST(RecallWeighting, all_are_equal_where_nobody_has_any) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(weights_by_recall({0, 0, 0, 0}), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(weights_by_recall({nan, nan}), ElementsAre(0.5, 0.5));
}

TEST(RecallWeighting, what_is_not_finite_has_no_weight_beside_anything_else) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(weights_by_recall({nan, 0.5, 0.5}), ElementsAre(0, 0.5, 0.5));
  EXPECT_THAT(weights_by_recall({nan, 0, 0}), ElementsAre(0, 0.5, 0.5));
}

TEST(MixtureWeighting, every_row_conforms) {
  for (const MixtureWeighting* row : mixture_weightings()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

// A step from the start, without a look at its score.
void step(std::span<double> weights, double by) {
  weights[0] += by;
  weights[1] -= by;
}

TEST(MixtureWeighting, the_suite_finds_each_property_broken) {
  MixtureWeighting spoiled = kEqualWeighting;
  spoiled.measure = MixtureMeasure::kScore;
  spoiled.find = [](std::span<double> weights, const MixtureWeightingInput&, ParameterValues) {
    static int n_calls = 0;
    step(weights, 1e-3 * (n_calls++ % 7));
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("deterministic"));
  spoiled.find = [](std::span<double> weights, const MixtureWeightingInput&, ParameterValues) {
    weights[0] = 1;
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("are weights"));
  spoiled.find = [](std::span<double> weights, const MixtureWeightingInput&, ParameterValues) {
    step(weights, -1e-3);
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("never worse"));
  spoiled.find = [](std::span<double> weights, const MixtureWeightingInput& input,
                    ParameterValues) {
    const double before = input.score(weights);
    step(weights, 1e-3);
    if (input.score(weights) > before) step(weights, -1e-3);  // a NaN is not above anything
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("NaN loses"));
}

TEST(MixtureWeighting, the_suite_finds_each_property_of_recalls_broken) {
  MixtureWeighting spoiled = kBestMemberWeighting;
  spoiled.measure = MixtureMeasure::kRecall;
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("asks for its measure"));
  spoiled.find = [](std::span<double> weights, const MixtureWeightingInput& input,
                    ParameterValues) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 / (1 + input.recall(i));
  };
  EXPECT_THAT(
      testing::broken_properties(spoiled),
      AllOf(Contains("are weights"), Contains("NaN loses"), Contains("more for more recall")));
}

}  // namespace
}  // namespace lipizz::coev::mixture_weighting_test
