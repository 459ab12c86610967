#include "metrics/frechet_scorer.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "metrics/classifier.hpp"
#include "metrics/judge.hpp"
#include "metrics/support.hpp"

namespace lipizz::metrics {
namespace {

using testing::StripeImages;

const StripeImages& stripes() {
  static const StripeImages data;
  return data;
}

const Bytes& judge() {
  static const Bytes bytes = pack_judge(train_judge(stripes()), stripes());
  return bytes;
}

std::unique_ptr<Scorer> make_scorer_of_stripes() {
  return make_frechet_scorer(stripes(), judge(), nn::Engine{});
}

std::vector<float> features_of(Scorer& scorer, std::span<const float> samples) {
  std::vector<float> features(samples.size() / stripes().shape().size() * scorer.n_features());
  scorer.features(samples, features);
  return features;
}

std::vector<float> test_samples(std::uint32_t n) {
  std::vector<std::uint32_t> indices(n);
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<float> samples(std::size_t{n} * stripes().shape().size());
  stripes().read_test(indices, samples);
  return samples;
}

Score score_of(Scorer& scorer, std::span<const float> samples) {
  return scorer.score(scorer.statistics(features_of(scorer, samples)));
}

TEST(FrechetScorer, of_all_training_samples_is_zero) {
  const auto scorer = make_scorer_of_stripes();
  std::vector<std::uint32_t> indices(stripes().n_train_full());
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<float> samples(indices.size() * 36);
  stripes().read_train(indices, samples);
  const Score score = score_of(*scorer, samples);
  EXPECT_NEAR(score.value, 0, 1e-9);
  EXPECT_EQ(score.details.front().name, "tvd");
  EXPECT_EQ(score.details.front().value, 0);
}

TEST(FrechetScorer, floor_is_the_score_of_the_first_test_samples) {
  const auto scorer = make_scorer_of_stripes();
  const Scorer::Floor some = scorer->floor(333);
  EXPECT_EQ(some.value, score_of(*scorer, test_samples(333)).value);
  EXPECT_EQ(some.n_samples, 333U);
  const Scorer::Floor all = scorer->floor(1'000'000);
  EXPECT_EQ(all.value, score_of(*scorer, test_samples(600)).value);
  EXPECT_EQ(all.n_samples, 600U) << "as many as there are";
  EXPECT_LT(all.value, scorer->floor(30).value);
}

TEST(FrechetScorer, a_missing_class_and_noise_score_worse_than_real_samples) {
  const auto scorer = make_scorer_of_stripes();
  const std::vector<float> real = test_samples(600);
  std::vector<float> two_classes;
  for (std::size_t i = 0; i < 600; ++i) {
    if (stripes().test_label(static_cast<std::uint32_t>(i)) == 0) continue;
    two_classes.insert(two_classes.end(), real.begin() + static_cast<std::ptrdiff_t>(i * 36),
                       real.begin() + static_cast<std::ptrdiff_t>(i * 36 + 36));
  }
  const double floor = scorer->floor(600).value;
  const Score missing = score_of(*scorer, two_classes);
  EXPECT_GT(missing.value, 10 * floor);
  EXPECT_NEAR(missing.details.front().value, 417 / 1250.0, 1e-12);  // the share that is missing
  EXPECT_EQ(missing.class_shares[0], 0);
  EXPECT_GT(score_of(*scorer, testing::normals(600 * 36, 1)).value, 10 * floor);
}

TEST(FrechetScorer, a_mixture_s_statistics_are_those_of_its_samples) {
  const auto scorer = make_scorer_of_stripes();
  const std::vector<float> features = features_of(*scorer, test_samples(400));
  const std::size_t cut = 100 * scorer->n_features();
  const std::vector<Statistics> parts{scorer->statistics(std::span(features).first(cut)),
                                      scorer->statistics(std::span(features).subspan(cut))};
  const Statistics mixed = mix(std::vector{0.25, 0.75}, parts);
  const Statistics whole = scorer->statistics(features);
  for (std::size_t i = 0; i < whole.values.size(); ++i) {
    EXPECT_NEAR(mixed.values[i], whole.values[i], 1e-12 * (1 + std::abs(whole.values[i])));
  }
  // The root of an eigenvalue that is zero up to 1e-16 is known up to 1e-8.
  EXPECT_NEAR(scorer->score(mixed).value, scorer->score(whole).value, 1e-6);
}

TEST(FrechetScorer, a_sample_that_is_not_finite_loses_to_everything) {
  const auto scorer = make_scorer_of_stripes();
  std::vector<float> samples = test_samples(300);
  samples[36 * 270] = std::numeric_limits<float>::quiet_NaN();
  const Score score = score_of(*scorer, samples);
  EXPECT_TRUE(std::isnan(score.value));
  EXPECT_TRUE(std::isnan(score.details.front().value));
  EXPECT_LT(std::accumulate(score.class_shares.begin(), score.class_shares.end(), 0.0), 1 - 1e-4);
}

TEST(FrechetScorer, engines_agree) {
  if (!nn::is_available(nn::Backend::kOneDnn)) GTEST_SKIP() << "built without oneDNN";
  nn::prepare_compute_thread();
  const nn::Engine fast{nn::Backend::kOneDnn, nn::detect_numerics_level()};
  const auto scorer = make_frechet_scorer(stripes(), judge(), fast);
  EXPECT_NEAR(scorer->floor(600).value, make_scorer_of_stripes()->floor(600).value, 1e-5);
  EXPECT_EQ(scorer->judge_hash(), make_scorer_of_stripes()->judge_hash());
}

TEST(FrechetScorer, does_not_take_a_damaged_judge) {
  Bytes bad = judge();
  bad[bad.size() / 2] ^= std::byte{1};
  EXPECT_THROW(make_frechet_scorer(stripes(), bad, nn::Engine{}), CommError);
}

}  // namespace
}  // namespace lipizz::metrics
