#include "coev/mixture_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "coev/mixture_weighting/best_member.hpp"
#include "coev/mixture_weighting/pattern_search.hpp"
#include "coev/support.hpp"

namespace lipizz::coev::mixture_search_test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Samples at 0 and at 1; the target lies between them, three parts to one.
struct Search {
  testing::MeanScorer scorer{0.25, 0};
  std::vector<metrics::Statistics> members{statistics_at(0), statistics_at(1)};

  metrics::Statistics statistics_at(float x) {
    const std::vector<float> samples{x, 0, x, 0};
    return scorer.statistics(samples);
  }
  std::vector<double> found_by(const Configured<MixtureWeighting>& weighting) {
    std::vector<double> weights{0.5, 0.5};
    search_weights(weights, members, scorer, weighting, Random(1, Purpose::kMixtureStep, {0}, 1));
    return weights;
  }
};

TEST(MixtureSearch, scores_the_weighted_sum_of_the_statistics) {
  Search search;
  const std::vector<double> best{0.75, 0.25};
  const std::vector<double> equal{0.5, 0.5};
  EXPECT_NEAR(closed_form_score(best, search.members, search.scorer), 0, 1e-12);
  EXPECT_NEAR(closed_form_score(equal, search.members, search.scorer), 0.0625, 1e-12);
}

TEST(MixtureSearch, has_the_weighting_find_what_scores_best) {
  Search search;
  EXPECT_THAT(search.found_by({kPatternSearchWeighting, {0.5, 0.01}}),
              ElementsAre(DoubleNear(0.75, 0.02), DoubleNear(0.25, 0.02)));
  search.members[1] = search.statistics_at(2);
  EXPECT_THAT(search.found_by(kBestMemberWeighting), ElementsAre(1, 0));
}

}  // namespace
}  // namespace lipizz::coev::mixture_search_test
