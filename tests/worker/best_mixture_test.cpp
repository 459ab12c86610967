#include "worker/best_mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "checkpoint/support.hpp"
#include "fake_island.hpp"
#include "nn/exec/host_device.hpp"
#include "toy_scorer.hpp"

namespace lipizz::worker::best_mixture_test {
namespace {

class BestMixtureTest : public ::testing::Test {
 protected:
  void evaluate(Generation generation, double score, std::uint32_t cell = 0) {
    coev::CellReport report;
    report.cell = {cell};
    report.generation = generation;
    report.score = score;
    best_.keep_if_better(island_, report);
  }
  bool has(Generation generation, std::uint32_t cell = 0) const {
    const KeptMixture* kept = best_.find({cell}, generation);
    return kept != nullptr && kept->cell == CellId{cell} && kept->generation == generation;
  }

  std::shared_ptr<const data::Dataset> dataset_ = data::open_dataset("ring8", {});
  ToyScorer scorer_;
  coev::Settings settings_ = coev::fake::small_settings(1);
  nn::HostDevice device_;
  coev::Island island_{settings_, {1, 2}, {{0}, {1}}, *dataset_, scorer_, device_};
  BestMixture best_;
};

TEST_F(BestMixtureTest, what_is_better_is_kept_with_its_generators) {
  evaluate(1, 5);
  ASSERT_TRUE(has(1));
  const KeptMixture& kept = *best_.find({0}, 1);
  EXPECT_EQ(kept.score, 5);
  ASSERT_FALSE(kept.members.empty());
  EXPECT_EQ(kept.examples.samples.size(), kept.members.size());
  const auto now = island_.mixture_generators({0});
  for (std::size_t m = 0; m < kept.members.size(); ++m) {
    EXPECT_EQ(kept.members[m].parameters.data(), now[m].parameters.data());
  }
}

TEST_F(BestMixtureTest, what_is_not_better_is_not_kept) {
  evaluate(1, std::nan(""));
  EXPECT_FALSE(has(1));
  evaluate(2, 5);
  evaluate(2, 5, 1);
  evaluate(3, std::nan(""));
  evaluate(4, 6);
  EXPECT_TRUE(has(2));
  for (const Generation generation : {3U, 4U}) EXPECT_FALSE(has(generation));
  EXPECT_FALSE(has(2, 1)) << "the lower cell wins";
}

TEST_F(BestMixtureTest, the_best_that_all_have_told_of_stays_beside_the_best_beyond) {
  evaluate(1, 5);
  best_.settle(1);
  evaluate(2, 4);
  evaluate(3, 3, 1);
  EXPECT_TRUE(has(1)) << "another worker's cell may have been better in 2 or 3";
  EXPECT_FALSE(has(2)) << "if one of these counts it is the better";
  EXPECT_TRUE(has(3, 1));
  best_.settle(3);
  evaluate(4, 2);
  EXPECT_FALSE(has(1));
  EXPECT_TRUE(has(3, 1));
  EXPECT_TRUE(has(4));
}

TEST_F(BestMixtureTest, what_will_come_again_is_dropped) {
  evaluate(1, 5);
  best_.settle(1);
  evaluate(3, 3);
  best_.go_back(2);
  EXPECT_TRUE(has(1));
  EXPECT_FALSE(has(3));
  evaluate(3, 3);
  EXPECT_TRUE(has(3));
}

}  // namespace
}  // namespace lipizz::worker::best_mixture_test
