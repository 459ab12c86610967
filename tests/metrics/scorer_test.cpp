#include "metrics/scorer.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "metrics/support.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::metrics::scorer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr data::SampleForm kDigits{.shape = {28, 28, 1}, .n_classes = 10};
constexpr data::SampleForm kUnlabelled{.shape = {28, 28, 1}};
constexpr data::SampleForm kSmall{.shape = {8, 28, 1}, .n_classes = 10};
constexpr data::SampleForm kModes{
    .kind = data::SampleKind::kPoint, .shape = {1, 1, 2}, .n_classes = 8};
constexpr data::SampleForm kVectors{.kind = data::SampleKind::kPoint, .shape = {1, 1, 5}};

std::string complaint(std::string_view name, const data::SampleForm& form) {
  try {
    find_metric(name, form);
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(Scorer, mixing_adds_weighted_statistics) {
  const std::vector<Statistics> statistics{{{1, 2}}, {{3, -4}}};
  EXPECT_THAT(mix(std::vector{0.25, 0.75}, statistics).values, ElementsAre(2.5, -2.5));
}

TEST(Scorer, what_has_no_weight_is_not_looked_at) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Statistics> statistics{{{1, 2}}, {{nan, nan}}};
  EXPECT_THAT(mix(std::vector{1.0, 0.0}, statistics).values, ElementsAre(1, 2));
  EXPECT_TRUE(std::isnan(mix(std::vector{0.9, 0.1}, statistics).values[0]));
}

TEST(Scorer, auto_is_the_metric_of_the_samples) {
  EXPECT_EQ(find_metric("auto", kDigits).name, "frechet");
  EXPECT_EQ(find_metric("frechet", kDigits).name, "frechet");
  EXPECT_EQ(find_metric("auto", kUnlabelled).name, "blocks");
  EXPECT_EQ(find_metric("auto", kSmall).name, "blocks");
  EXPECT_EQ(find_metric("auto", kModes).name, "modes");
  EXPECT_EQ(find_metric("auto", kVectors).name, "fourier");
}

TEST(Scorer, another_metric_that_fits_can_be_asked_for) {
  EXPECT_EQ(find_metric("blocks", kDigits).name, "blocks");
}

TEST(Scorer, a_metric_that_does_not_fit_or_exist_is_refused) {
  EXPECT_THAT(complaint("frechet", kModes), HasSubstr("use modes"));
  EXPECT_THAT(complaint("modes", kDigits), HasSubstr("use frechet"));
  EXPECT_THAT(complaint("frechet", kUnlabelled), HasSubstr("use blocks"));
  EXPECT_THAT(complaint("frechett", kDigits), HasSubstr("\"frechet\"?"));
}

TEST(Scorer, every_metric_scores_the_kind_that_it_is_for) {
  nn::prepare_compute_thread();
  const testing::StripeImages images;
  const testing::LinePoints points;
  for (const MetricEntry& entry : metrics()) {
    const data::Dataset& dataset =
        entry.fits(kDigits) ? static_cast<const data::Dataset&>(images) : points;
    const Bytes judge = entry.prepare_judge(dataset, {}, {}, testing::kUnwatched);
    EXPECT_EQ(entry.has_judge, !judge.empty()) << entry.name;
    const auto scorer = entry.make_scorer(dataset, judge, testing::host());
    EXPECT_EQ(scorer->metric(), entry.name);
    const std::vector<float> samples(dataset.shape().size() * std::size_t{10});
    std::vector<float> features(scorer->n_features() * std::size_t{10});
    scorer->features(samples, features);
    EXPECT_GT(scorer->score(scorer->statistics(features)).value, scorer->floor(600).value);
    EXPECT_NE(scorer->judge_hash(), 0U);
    EXPECT_EQ(scorer->test_features(7).size(), 7 * scorer->n_features());
    EXPECT_EQ(compared_columns(*scorer, features).size(), 10 * scorer->n_compared());
  }
}

TEST(Scorer, images_without_labels_are_scored_by_their_blocks) {
  testing::StripeImages images;
  images.forget_labels();
  const MetricEntry& metric = find_metric("auto", form_of(images));
  EXPECT_EQ(metric.name, "blocks");
  EXPECT_TRUE(metric.prepare_judge(images, {}, {}, testing::kUnwatched).empty());
}

}  // namespace
}  // namespace lipizz::metrics::scorer_test
