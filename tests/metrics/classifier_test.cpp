#include "metrics/classifier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/support.hpp"
#include "nn/far_device.hpp"

namespace lipizz::metrics::classifier_test {
namespace {

using testing::StripeImages;

constexpr std::size_t kStride = ClassifierFeatures::kPerSample;
constexpr std::uint32_t kUnits = ClassifierFeatures::kUnits;
constexpr std::uint32_t kSize = StripeImages::kSize;

const nn::NetworkSpec kNetwork = classifier_network(StripeImages());

nn::Buffer<float> initial_parameters() {
  nn::Buffer<float> parameters(nn::parameter_layout(kNetwork).n_padded);
  nn::initialise(kNetwork, Random(5, Purpose::kTest), parameters);
  return parameters;
}

std::vector<float> features_of(ClassifierFeatures& classifier, std::span<const float> samples) {
  std::vector<float> features(samples.size() / kSize * kStride);
  classifier.compute(samples, features);
  return features;
}

// One layer with its weights, from the first block of them that is not used yet.
struct PlainNetwork {
  std::span<const float> parameters;
  std::size_t block = 0;

  const float* next() {
    return parameters.data() + nn::parameter_layout(kNetwork).blocks[block++].offset;
  }

  // Images [n, n, c_in] to [n - 4, n - 4, c_out].
  std::vector<double> convolve(const std::vector<double>& x, std::size_t n, std::size_t c_in,
                               std::size_t c_out) {
    const float* weight = next();  // [5, 5, c_in, c_out]
    const float* bias = next();
    const std::size_t m = n - 4;
    std::vector<double> y(m * m * c_out);
    for (std::size_t at = 0; at < y.size(); ++at) {
      const std::size_t o = at % c_out;
      const std::size_t place = at / c_out;
      y[at] = bias[o];
      for (std::size_t k = 0; k < 25 * c_in; ++k) {
        const std::size_t row = place / m + k / c_in / 5;
        const std::size_t column = place % m + k / c_in % 5;
        y[at] += x[(row * n + column) * c_in + k % c_in] * weight[k * c_out + o];
      }
    }
    return y;
  }

  std::vector<double> multiply(const std::vector<double>& x, std::size_t n) {
    const float* weight = next();
    const float* bias = next();
    std::vector<double> y(bias, bias + n);
    for (std::size_t i = 0; i < x.size() * n; ++i) y[i % n] += x[i / n] * weight[i];
    return y;
  }
};

// The largest of each 2x2 block of images [n, n, c], and no less than 0.
std::vector<double> pool_and_rectify(const std::vector<double>& x, std::size_t n, std::size_t c) {
  std::vector<double> y(x.size() / 4);
  for (std::size_t at = 0; at < x.size(); ++at) {
    const std::size_t row = at / c / n / 2;
    const std::size_t column = at / c % n / 2;
    double& most = y[(row * (n / 2) + column) * c + at % c];
    most = std::max(most, x[at]);
  }
  return y;
}

// The network in plain loops in double: the units of its last-but-one layer, then its logits.
std::vector<double> plain(std::span<const float> parameters, std::span<const float> sample) {
  PlainNetwork network{parameters};
  std::vector<double> x(sample.begin(), sample.end());
  x = pool_and_rectify(network.convolve(x, 16, 1, 16), 12, 16);
  x = pool_and_rectify(network.convolve(x, 6, 16, 16), 2, 16);
  std::vector<double> units = network.multiply(x, kUnits);
  std::ranges::for_each(units, [](double& v) { v = std::max(v, 0.0); });
  x = network.multiply(units, 3);
  units.insert(units.end(), x.begin(), x.end());
  return units;
}

TEST(Classifier, features_are_the_units_of_the_network_and_its_choice) {
  ClassifierFeatures classifier(testing::host(), kNetwork, initial_parameters());
  const std::vector<float> samples = testing::normals(7 * kSize, 1);
  const std::vector<float> features = features_of(classifier, samples);
  for (std::size_t row = 0; row < 7; ++row) {
    const auto expected =
        plain(initial_parameters(), std::span(samples).subspan(row * kSize, kSize));
    for (std::size_t i = 0; i < kUnits; ++i) {
      EXPECT_NEAR(features[row * kStride + i], expected[i], 1e-5);
    }
    const auto best = std::max_element(expected.begin() + kUnits, expected.end());
    EXPECT_EQ(features[row * kStride + kUnits], float(best - expected.begin() - kUnits));
  }
}

TEST(Classifier, computes_strictly_whatever_the_device_trains_in) {
  nn::testing::FarDevice device({});
  const ClassifierFeatures classifier(device, kNetwork, initial_parameters());
  EXPECT_EQ(device.planned, std::vector{nn::Exactness::kStrict});
}

TEST(Classifier, a_row_of_features_is_that_of_the_sample_alone) {
  ClassifierFeatures classifier(testing::host(), kNetwork, initial_parameters());
  const std::vector<float> samples = testing::normals(501 * kSize, 2);
  const std::vector<float> all = features_of(classifier, samples);
  const std::vector<float> first = features_of(classifier, std::span(samples).first(kSize));
  const std::vector<float> last = features_of(classifier, std::span(samples).last(kSize));
  EXPECT_TRUE(std::ranges::equal(first, std::span(all).first(kStride)));
  EXPECT_TRUE(std::ranges::equal(last, std::span(all).last(kStride)));
}

TEST(Classifier, a_sample_that_is_not_finite_has_no_features_and_no_class) {
  ClassifierFeatures classifier(testing::host(), kNetwork, initial_parameters());
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> samples(3 * kSize);
    samples[kSize + 20] = bad;
    const std::vector<float> features = features_of(classifier, samples);
    EXPECT_TRUE(std::isnan(features[kStride]) && std::isnan(features[2 * kStride - 2]));
    EXPECT_EQ(features[2 * kStride - 1], 3);
    EXPECT_TRUE(std::isfinite(features[0]) && std::isfinite(features[2 * kStride]));
    EXPECT_LT(features[3 * kStride - 1], 3);
  }
}

TEST(Classifier, learns_the_classes_the_same_way_each_time) {
  const StripeImages data;
  const nn::Buffer<float> parameters = train_classifier(data, testing::kUnwatched);
  EXPECT_EQ(train_classifier(data, testing::kUnwatched), parameters);
  ClassifierFeatures classifier(testing::host(), kNetwork, parameters);
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

TEST(Classifier, tells_how_far_its_training_is) {
  std::vector<double> shares;
  train_classifier(StripeImages(), [&](double share) { shares.push_back(share); });
  ASSERT_EQ(shares.size(), 3U * (1250 / 100));
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.back(), 1);
}

TEST(Classifier, learns_from_all_samples_whatever_a_run_may_use) {
  EXPECT_EQ(train_classifier(StripeImages(20), testing::kUnwatched),
            train_classifier(StripeImages(), testing::kUnwatched));
}

}  // namespace
}  // namespace lipizz::metrics::classifier_test
