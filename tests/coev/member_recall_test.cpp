#include "coev/member_recall.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "coev/support.hpp"

namespace lipizz::coev::member_recall_test {
namespace {

// Ten real points at 0, 1, ... of a line, beside which each row has the index of a class.
class LineScorer final : public metrics::Scorer {
 public:
  std::string_view metric() const override { return "line"; }
  std::uint32_t n_features() const override { return 2; }
  std::uint32_t n_compared() const override { return 1; }
  void features(std::span<const float>, std::span<float>) override {}
  metrics::Statistics statistics(std::span<const float>) const override { return {}; }
  metrics::Score score(const metrics::Statistics&) const override { return {}; }
  metrics::Score held_out_score(const metrics::Statistics&) override { return {}; }
  std::vector<float> test_features(std::uint32_t n) override {
    n_asked.push_back(n);
    std::vector<float> rows;
    for (std::uint32_t i = 0; i < std::min(n, 10U); ++i) {
      rows.push_back(static_cast<float>(i));
      rows.push_back(static_cast<float>(100 * i));
    }
    return rows;
  }
  std::uint64_t judge_hash() const override { return 0; }

  std::vector<std::uint32_t> n_asked;
};

std::vector<float> rows_at(const std::vector<float>& places) {
  std::vector<float> rows;
  for (const float place : places) {
    rows.push_back(place);
    rows.push_back(0);
  }
  return rows;
}

// The ball of each of six points reaches to the farthest of the others, the fifth.
TEST(MemberRecall, is_the_share_of_real_points_among_the_members) {
  LineScorer scorer;
  MemberRecall recall(scorer);
  // From 0.5 and 1.5 they reach by 1, from the others less: 0, 1 and 2 of six lie in them.
  EXPECT_DOUBLE_EQ(recall.of(rows_at({0.5, 0.7, 0.9, 1.1, 1.3, 1.5})), 0.5);
  EXPECT_DOUBLE_EQ(recall.of(rows_at({0, 3, 6, 9, 12, 15})), 1);
  EXPECT_DOUBLE_EQ(recall.of(rows_at({50, 51, 52, 53, 54, 55})), 0);
}

TEST(MemberRecall, reads_real_samples_once_and_a_bounded_number) {
  LineScorer scorer;
  MemberRecall recall(scorer);
  const std::vector<float> many(2 * (kMostRecallRows + 1));
  recall.of(many);
  recall.of(many);
  EXPECT_EQ(scorer.n_asked, std::vector<std::uint32_t>{kMostRecallRows});
}

TEST(MemberRecall, of_what_is_not_finite_or_too_few_is_none) {
  LineScorer scorer;
  MemberRecall recall(scorer);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(recall.of(rows_at({1, 2, nan, 4, 5, 6}))));
  EXPECT_TRUE(std::isnan(MemberRecall(scorer).of(rows_at({1, 2, 3, 4, 5}))));
}

}  // namespace
}  // namespace lipizz::coev::member_recall_test
