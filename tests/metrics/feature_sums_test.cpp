#include "metrics/feature_sums.hpp"

#include <gmock/gmock.h>

#include "metrics/support.hpp"

namespace lipizz::metrics::feature_sums_test {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

Statistics mean_of(std::span<const float> features, std::uint32_t d, std::uint32_t k) {
  FeatureSums sums(d, k);
  sums.add(features);
  return sums.mean();
}

TEST(FeatureSums, are_means_of_features_products_and_classes) {
  // Two features and a class per row, of four classes; the last row has none.
  const std::vector<float> rows{1, 2, 0, 3, 4, 2, 5, 0, 2, -1, 2, 4};
  EXPECT_THAT(mean_of(rows, 2, 4).values,
              ElementsAre(8 / 4.0, 8 / 4.0,              // means
                          36 / 4.0, 12 / 4.0, 24 / 4.0,  // products 11, 12, 22
                          1 / 4.0, 0, 2 / 4.0, 0));      // classes
}

TEST(FeatureSums, give_mean_and_covariance) {
  const std::vector<float> rows{1, 2, 0, 3, 5, 0, 5, 0, 0, -1, 1, 0};
  const Gaussian gaussian = FeatureSums::gaussian(mean_of(rows, 2, 1), 2);
  EXPECT_THAT(gaussian.mean, ElementsAre(2, 2));
  // The sums of products of deviations, 20, 0 and 14, by n - 1 = 3.
  EXPECT_THAT(gaussian.covariance,
              ElementsAre(DoubleEq(20 / 3.0), DoubleEq(0), DoubleEq(0), DoubleEq(14 / 3.0)));
}

TEST(FeatureSums, one_sample_has_no_spread) {
  const std::vector<float> row{1, 2, 0};
  EXPECT_THAT(FeatureSums::gaussian(mean_of(row, 2, 1), 2).covariance, ElementsAre(0, 0, 0, 0));
}

TEST(FeatureSums, from_an_origin_large_means_cancel_nothing) {
  FeatureSums sums(1, 0, {1e6});
  for (const float value : {1e6f, 1e6f + 0.125f, 1e6f - 0.125f}) {
    sums.add_row(std::span(&value, 1), 0);
  }
  const Gaussian gaussian = FeatureSums::gaussian(sums.mean(), 1);
  EXPECT_THAT(gaussian.mean, ElementsAre(0));
  EXPECT_THAT(gaussian.covariance, ElementsAre(DoubleEq(2 * 0.125 * 0.125 / 2)));
}

TEST(FeatureSums, do_not_depend_on_how_rows_are_cut_into_calls) {
  const std::vector<float> rows = testing::normals(10 * 100, 1);
  FeatureSums cut(9, 0);
  cut.add(std::span(rows).first(10));
  cut.add(std::span(rows).subspan(10, 690));
  cut.add(std::span(rows).last(300));
  EXPECT_EQ(cut.mean().values, mean_of(rows, 9, 0).values);
}

TEST(FeatureSums, of_a_set_are_the_mixed_sums_of_its_parts) {
  std::vector<float> rows(16 * 4);
  const Random random(3, Purpose::kTest);
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = float(random.below(3, i));
  const std::vector<Statistics> parts{mean_of(std::span(rows).first(4 * 4), 3, 3),
                                      mean_of(std::span(rows).last(12 * 4), 3, 3)};
  const Statistics whole = mean_of(rows, 3, 3);
  const Statistics mixed = mix(std::vector{0.25, 0.75}, parts);
  const Statistics pooled = pool(parts);
  EXPECT_EQ(pooled.n_samples, 16);
  for (std::size_t i = 0; i < whole.values.size(); ++i) {
    EXPECT_NEAR(mixed.values[i], whole.values[i], 1e-15);
    EXPECT_NEAR(pooled.values[i], whole.values[i], 1e-15);
  }
}

}  // namespace
}  // namespace lipizz::metrics::feature_sums_test
