#include "metrics/classifier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/support.hpp"

namespace lipizz::metrics {
namespace {

using testing::StripeImages;

constexpr std::size_t kStride = ClassifierFeatures::kPerSample;
constexpr std::uint32_t kUnits = ClassifierFeatures::kUnits;

const nn::NetworkSpec kNetwork = classifier_network(36, 3);

nn::Buffer<float> initial_parameters() {
  nn::Buffer<float> parameters(nn::parameter_layout(kNetwork).n_padded);
  nn::initialise(kNetwork, Random(5, Purpose::kTest), parameters);
  return parameters;
}

std::vector<float> features_of(ClassifierFeatures& classifier, std::span<const float> samples) {
  std::vector<float> features(samples.size() / 36 * kStride);
  classifier.compute(samples, features);
  return features;
}

// The network in plain loops in double: the units of its last-but-one layer, then its logits.
std::vector<double> plain(std::span<const float> parameters, std::span<const float> sample) {
  const auto blocks = nn::parameter_layout(kNetwork).blocks;
  std::vector<double> x(sample.begin(), sample.end());
  std::vector<double> units;
  for (std::size_t layer = 0; layer < 3; ++layer) {
    const float* weight = parameters.data() + blocks[2 * layer].offset;
    const float* bias = parameters.data() + blocks[2 * layer + 1].offset;
    const std::size_t n = kNetwork.layers[layer].outputs;
    std::vector<double> y(bias, bias + n);
    for (std::size_t i = 0; i < x.size() * n; ++i) y[i % n] += x[i / n] * weight[i];
    if (layer == 0) std::ranges::for_each(y, [](double& v) { v = std::max(v, 0.0); });
    if (layer == 1) {
      std::ranges::for_each(y, [](double& v) { v = std::tanh(v); });
      units = y;
    }
    x = y;
  }
  units.insert(units.end(), x.begin(), x.end());
  return units;
}

TEST(Classifier, features_are_the_units_of_the_network_and_its_choice) {
  ClassifierFeatures classifier({}, kNetwork, initial_parameters());
  const std::vector<float> samples = testing::normals(7 * 36, 1);
  const std::vector<float> features = features_of(classifier, samples);
  for (std::size_t row = 0; row < 7; ++row) {
    const auto expected = plain(initial_parameters(), std::span(samples).subspan(row * 36, 36));
    for (std::size_t i = 0; i < kUnits; ++i) {
      EXPECT_NEAR(features[row * kStride + i], expected[i], 1e-5);
    }
    const auto best = std::max_element(expected.begin() + kUnits, expected.end());
    EXPECT_EQ(features[row * kStride + kUnits], float(best - expected.begin() - kUnits));
  }
}

TEST(Classifier, a_row_of_features_is_that_of_the_sample_alone) {
  ClassifierFeatures classifier({}, kNetwork, initial_parameters());
  const std::vector<float> samples = testing::normals(501 * 36, 2);
  const std::vector<float> all = features_of(classifier, samples);
  const std::vector<float> first = features_of(classifier, std::span(samples).first(36));
  const std::vector<float> last = features_of(classifier, std::span(samples).last(36));
  EXPECT_TRUE(std::ranges::equal(first, std::span(all).first(kStride)));
  EXPECT_TRUE(std::ranges::equal(last, std::span(all).last(kStride)));
}

TEST(Classifier, a_sample_that_is_not_finite_has_no_features_and_no_class) {
  ClassifierFeatures classifier({}, kNetwork, initial_parameters());
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> samples(3 * 36);
    samples[36 + 20] = bad;
    const std::vector<float> features = features_of(classifier, samples);
    EXPECT_TRUE(std::isnan(features[kStride]) && std::isnan(features[2 * kStride - 2]));
    EXPECT_EQ(features[2 * kStride - 1], 3);
    EXPECT_TRUE(std::isfinite(features[0]) && std::isfinite(features[2 * kStride]));
    EXPECT_LT(features[3 * kStride - 1], 3);
  }
}

TEST(Classifier, learns_the_classes_the_same_way_each_time) {
  const StripeImages data;
  const nn::Buffer<float> parameters = train_classifier(data);
  EXPECT_EQ(train_classifier(data), parameters);
  ClassifierFeatures classifier({}, kNetwork, parameters);
  std::uint32_t n_right = 0;
  visit_features(data, Part::kTest, data.n_test(), classifier,
                 [&](std::uint32_t first, std::span<const float> features) {
                   for (std::uint32_t row = 0; row < features.size() / kStride; ++row) {
                     const float found = features[row * kStride + kUnits];
                     n_right += found == data.test_label(first + row) ? 1 : 0;
                   }
                 });
  EXPECT_GT(n_right, data.n_test() * 99 / 100);
}

TEST(Classifier, learns_from_all_samples_whatever_a_run_may_use) {
  EXPECT_EQ(train_classifier(StripeImages(20)), train_classifier(StripeImages()));
}

}  // namespace
}  // namespace lipizz::metrics
