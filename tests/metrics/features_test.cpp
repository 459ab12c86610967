#include "metrics/features.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "metrics/support.hpp"

namespace lipizz::metrics::features_test {
namespace {

/// The first value of each sample.
class FirstValue : public Features {
 public:
  explicit FirstValue(std::size_t sample_size) : Features(1, 0), sample_size_(sample_size) {}
  void compute(std::span<const float> samples, std::span<float> out) override {
    for (std::size_t row = 0; row < out.size() / 2; ++row) {
      out[2 * row] = samples[row * sample_size_];
    }
  }

 private:
  std::size_t sample_size_;
};

TEST(VisitFeatures, goes_in_order_and_no_further_than_asked_for) {
  const testing::StripeImages data;
  FirstValue features(testing::StripeImages::kSize);
  std::vector<std::uint32_t> firsts;
  std::vector<float> visited;
  visit_features(data, Part::kTest, 501, features,
                 [&](std::uint32_t first, std::span<const float> rows) {
                   firsts.push_back(first);
                   visited.insert(visited.end(), rows.begin(), rows.end());
                 });
  EXPECT_EQ(firsts, (std::vector<std::uint32_t>{0, 250, 500}));
  ASSERT_EQ(visited.size(), 501U * 2);
  for (const std::uint32_t i : {0U, 250U, 499U, 500U}) {
    std::vector<float> sample(testing::StripeImages::kSize);
    data.read_test(std::vector{i}, sample);
    EXPECT_EQ(visited[2 * i], sample[0]) << i;
  }
}

TEST(VisitFeatures, reads_so_many_samples_at_once_as_take_little_memory) {
  EXPECT_EQ(rows_at_once(1), 250U);
  EXPECT_EQ(rows_at_once(28 * 28), 250U);
  EXPECT_EQ(rows_at_once(512 * 640), 3U);
  EXPECT_EQ(rows_at_once(std::size_t{1} << 26), 1U);
}

/// Images of which no more than three fit into a block.
class LargeImages : public testing::StripeImages {
 public:
  [[nodiscard]] data::SampleShape shape() const override { return {512, 640, 1}; }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    ASSERT_EQ(out.size(), indices.size() * shape().size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      out[i * shape().size()] = static_cast<float>(indices[i]);
    }
  }
};

TEST(VisitFeatures, takes_few_large_samples_at_a_time) {
  const LargeImages data;
  FirstValue features(data.shape().size());
  std::vector<float> visited;
  visit_features(data, Part::kTrain, 7, features, [&](std::uint32_t, std::span<const float> rows) {
    EXPECT_LE(rows.size(), 2U * 3);
    for (std::size_t i = 0; i < rows.size(); i += 2) visited.push_back(rows[i]);
  });
  EXPECT_EQ(visited, (std::vector<float>{0, 1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace lipizz::metrics::features_test
