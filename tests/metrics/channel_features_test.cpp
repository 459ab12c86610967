#include "metrics/channel_features.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "metrics/support.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::metrics::channel_features_test {
namespace {

// Sample i has stripes of class i mod 3 in its first channel and of class i / 3 mod 3 in its
// second.
class TwoStripes final : public data::Dataset {
 public:
  [[nodiscard]] std::string_view name() const override { return "two-stripes"; }
  [[nodiscard]] data::SampleKind kind() const override { return data::SampleKind::kImage; }
  [[nodiscard]] data::SampleShape shape() const override { return {16, 16, 2}; }
  [[nodiscard]] std::uint32_t n_train() const override { return 1'000; }
  [[nodiscard]] std::uint32_t n_train_full() const override { return 1'000; }
  [[nodiscard]] std::uint32_t n_test() const override { return 90; }
  [[nodiscard]] std::uint32_t n_classes() const override { return 9; }
  [[nodiscard]] std::uint32_t n_channel_classes() const override { return 3; }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    std::vector<float> stripes(256);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      for (std::size_t c = 0; c < 2; ++c) {
        const std::uint32_t shown =
            c == 0 ? train_label(indices[i]) / 3 : train_label(indices[i]) % 3;
        stripes_.read_train({&shown, 1}, stripes);
        for (std::size_t p = 0; p < 256; ++p) out[(i * 256 + p) * 2 + c] = stripes[p];
      }
    }
  }
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    read_train(indices, out);
  }
  [[nodiscard]] data::Label train_label(std::uint32_t index) const override { return index % 9; }
  [[nodiscard]] data::Label test_label(std::uint32_t index) const override { return index % 9; }
  [[nodiscard]] std::span<const data::Mode> modes() const override { return {}; }
  [[nodiscard]] std::uint64_t content_hash() const override { return 9; }

 private:
  testing::StripeImages stripes_;
};

TEST(ChannelView, has_each_channel_with_its_digit) {
  const TwoStripes stacked;
  const ChannelView view(stacked);
  EXPECT_EQ(view.shape(), (data::SampleShape{16, 16, 1}));
  EXPECT_EQ(view.n_train_full(), 2'000U);
  EXPECT_EQ(view.n_test(), 180U);
  EXPECT_EQ(view.n_classes(), 3U);
  std::vector<float> sample(512);
  std::vector<float> channel(256);
  for (std::uint32_t i = 0; i < 18; ++i) {
    EXPECT_EQ(view.train_label(i), i % 2 == 0 ? i / 2 % 9 / 3 : i / 2 % 3);
    const std::uint32_t stack = i / 2;
    stacked.read_train({&stack, 1}, sample);
    view.read_train({&i, 1}, channel);
    for (std::size_t p = 0; p < 256; ++p) EXPECT_EQ(channel[p], sample[2 * p + i % 2]);
  }
}

TEST(ChannelFeatures, tell_the_class_that_channels_make_together) {
  nn::prepare_compute_thread();
  const TwoStripes stacked;
  const ChannelView view(stacked);
  ChannelFeatures features(testing::host(), stacked, train_classifier(view, testing::kUnwatched));
  EXPECT_EQ(features.n_values(), 128U);
  EXPECT_EQ(features.n_classes(), 9U);
  std::vector<std::uint32_t> indices(9);
  for (std::uint32_t i = 0; i < 9; ++i) indices[i] = i;
  std::vector<float> samples(9 * 512);
  stacked.read_test(indices, samples);
  samples.back() = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> rows(9 * 129);
  features.compute(samples, rows);
  std::vector<float> likely(9 * 9);
  features.class_probabilities(rows, likely);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(rows[i * 129 + 128], static_cast<float>(i));
    float sum = 0;
    for (std::size_t c = 0; c < 9; ++c) sum += likely[i * 9 + c];
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_GT(likely[i * 9 + i], 0.5f);
  }
  EXPECT_EQ(rows[8 * 129 + 128], 9) << "no class";
  EXPECT_TRUE(std::isnan(rows[8 * 129 + 64]));
}

}  // namespace
}  // namespace lipizz::metrics::channel_features_test
