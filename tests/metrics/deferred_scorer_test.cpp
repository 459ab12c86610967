#include "metrics/deferred_scorer.hpp"

#include <gmock/gmock.h>

#include <array>

namespace lipizz::metrics::deferred_scorer_test {
namespace {

// Answers with figures that say which method was asked for what.
class Echo final : public Scorer {
 public:
  [[nodiscard]] std::string_view metric() const override { return "echo"; }
  [[nodiscard]] std::uint32_t n_features() const override { return 2; }
  void features(std::span<const float> samples, std::span<float> out) override {
    out[0] = samples[0] + 1;
  }
  [[nodiscard]] Statistics statistics(std::span<const float> features) const override {
    return {{features[0] + 2.0}};
  }
  [[nodiscard]] Score score(const Statistics& statistics) const override {
    return {.value = statistics.values[0] + 3, .details = {}, .class_shares = {}};
  }
  [[nodiscard]] Score held_out_score(const Statistics& statistics) override {
    return {.value = statistics.values[0] + 5, .details = {}, .class_shares = {}};
  }
  [[nodiscard]] std::vector<float> test_features(std::uint32_t n_samples) override {
    return std::vector<float>(n_features() * n_samples, 4);
  }
  [[nodiscard]] std::uint64_t judge_hash() const override { return 7; }
};

TEST(DeferredScorer, is_made_once_when_it_is_needed) {
  int n_made = 0;
  DeferredScorer scorer("echo", [&] {
    ++n_made;
    return std::make_unique<Echo>();
  });
  EXPECT_EQ(scorer.metric(), "echo");
  EXPECT_FALSE(scorer.is_made());
  EXPECT_EQ(scorer.n_features(), 2U);
  EXPECT_TRUE(scorer.is_made());
  const std::array sample{1.0f};
  std::array features{0.0f, 0.0f};
  scorer.features(sample, features);
  EXPECT_EQ(features[0], 2);
  const Statistics statistics = scorer.statistics(features);
  EXPECT_EQ(statistics.values, std::vector{4.0});
  EXPECT_EQ(scorer.score(statistics).value, 7);
  EXPECT_EQ(scorer.held_out_score(statistics).value, 9);
  EXPECT_EQ(scorer.test_features(9), std::vector<float>(18, 4));
  EXPECT_EQ(scorer.floor(9).n_samples, 9U);
  EXPECT_EQ(scorer.floor(9).value, 9);
  EXPECT_EQ(scorer.judge_hash(), 7U);
  EXPECT_EQ(n_made, 1);
}

TEST(DeferredScorer, is_made_later_where_it_could_not_be_made) {
  struct Busy {};
  bool is_busy = true;
  const DeferredScorer scorer("echo", [&]() -> std::unique_ptr<Scorer> {
    if (is_busy) throw Busy();
    return std::make_unique<Echo>();
  });
  EXPECT_THROW(static_cast<void>(scorer.judge_hash()), Busy);
  is_busy = false;
  EXPECT_EQ(scorer.judge_hash(), 7U);
}

}  // namespace
}  // namespace lipizz::metrics::deferred_scorer_test
