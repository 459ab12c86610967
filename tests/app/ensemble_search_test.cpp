#include "app/ensemble_search.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "app/dataset_scorer.hpp"
#include "two_runs.hpp"

namespace lipizz::app::ensemble_search_test {
namespace {

using ::testing::Each;

class EnsembleSearchTest : public TwoRunsTest {
 protected:
  void SetUp() override {
    TwoRunsTest::SetUp();
    pool_ = std::make_unique<EnsemblePool>(line(), false);
    scorer_ = open_scorer("auto", pool_->first().dataset(), base_, pool_->first().device());
  }
  Ensemble found(const std::vector<std::string>& options = {}) {
    return find_ensemble(*pool_, *scorer_, ensemble_request(line(options)));
  }

  std::unique_ptr<EnsemblePool> pool_;
  std::unique_ptr<metrics::Scorer> scorer_;
};

TEST_F(EnsembleSearchTest, finds_weights_and_scores_them_afresh) {
  const Ensemble ensemble = found();
  ASSERT_EQ(ensemble.weights.size(), 4U);
  EXPECT_EQ(ensemble.alone.size(), 4U);
  EXPECT_EQ(ensemble.runs.size(), 2U);
  EXPECT_NEAR(std::accumulate(ensemble.weights.begin(), ensemble.weights.end(), 0.0), 1, 1e-12);
  EXPECT_GE(std::ranges::min(ensemble.weights), 0);
  EXPECT_EQ(ensemble.runs[ensemble.best_run()], std::ranges::min(ensemble.runs));
  const Ensemble again = found();
  EXPECT_EQ(again.weights, ensemble.weights);
  EXPECT_EQ(again.score, ensemble.score);
  EXPECT_NE(found({"--seed", "2"}).score, ensemble.score);
}

TEST_F(EnsembleSearchTest, of_one_member_takes_the_best) {
  for (const char* const weighting : {"genetic", "pattern-search", "best-member", "equal"}) {
    const Ensemble ensemble = found({"--size", "1", "--weighting", weighting});
    EXPECT_EQ(ensemble.n_members(), 1U);
    const auto only = std::ranges::max_element(ensemble.weights) - ensemble.weights.begin();
    EXPECT_EQ(ensemble.weights[only], 1) << weighting;
    EXPECT_EQ(ensemble.alone[only], std::ranges::min(ensemble.alone)) << weighting;
  }
}

TEST_F(EnsembleSearchTest, of_equal_weights_takes_the_best_alone) {
  EXPECT_THAT(found({"--weighting", "equal"}).weights, Each(0.25));
  const Ensemble two = found({"--weighting", "equal", "--size", "2"});
  EXPECT_EQ(two.n_members(), 2U);
  std::vector<double> alone = two.alone;
  std::ranges::sort(alone);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(two.weights[i], two.alone[i] <= alone[1] ? 0.5 : 0) << i;
  }
}

}  // namespace
}  // namespace lipizz::app::ensemble_search_test
