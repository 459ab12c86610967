#include "metrics/frechet_scorer.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "metrics/classifier.hpp"
#include "metrics/feature_sums.hpp"
#include "metrics/frechet.hpp"
#include "metrics/judge.hpp"
#include "metrics/support.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::metrics::frechet_scorer_test {
namespace {

using testing::StripeImages;

constexpr std::uint32_t kSize = StripeImages::kSize;

const StripeImages& stripes() {
  static const StripeImages data;
  return data;
}

const Bytes& judge() {
  static const Bytes bytes = pack_judge(train_judge(stripes(), testing::kUnwatched), stripes());
  return bytes;
}

std::unique_ptr<Scorer> make_scorer_of_stripes() {
  return make_frechet_scorer(stripes(), judge(), testing::host());
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

// The first n test samples without those of class 0.
std::vector<float> only_two_classes(std::uint32_t n) {
  const std::vector<float> real = test_samples(n);
  std::vector<float> kept;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (stripes().test_label(i) == 0) continue;
    const auto sample = std::span(real).subspan(std::size_t{i} * kSize, kSize);
    kept.insert(kept.end(), sample.begin(), sample.end());
  }
  return kept;
}

Score score_of(Scorer& scorer, std::span<const float> samples) {
  return scorer.score(scorer.statistics(features_of(scorer, samples)));
}

TEST(FrechetScorer, of_all_training_samples_is_zero) {
  const auto scorer = make_scorer_of_stripes();
  std::vector<std::uint32_t> indices(stripes().n_train_full());
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<float> samples(indices.size() * kSize);
  stripes().read_train(indices, samples);
  const Score score = score_of(*scorer, samples);
  EXPECT_NEAR(score.value, 0, 1e-9);
  EXPECT_EQ(score.details.front().name, "tvd");
  EXPECT_EQ(score.details.front().value, 0);
}

TEST(FrechetScorer, held_out_is_the_distance_to_the_test_samples) {
  const auto scorer = make_scorer_of_stripes();
  const auto held_out = [&](std::span<const float> samples) {
    return scorer->held_out_score(scorer->statistics(features_of(*scorer, samples)));
  };
  const Score of_test = held_out(test_samples(stripes().n_test()));
  EXPECT_NEAR(of_test.value, 0, 1e-9);
  EXPECT_EQ(of_test.details.front().value, 0);
  const std::vector<float> two = only_two_classes(stripes().n_test());
  const auto gaussian = [&](std::span<const float> samples) {
    return FeatureSums::gaussian(scorer->statistics(features_of(*scorer, samples)),
                                 scorer->n_compared());
  };
  const FrechetDistance to_test(gaussian(test_samples(stripes().n_test())));
  EXPECT_DOUBLE_EQ(held_out(two).value, to_test.to(gaussian(two)));
  EXPECT_NE(held_out(two).value, score_of(*scorer, two).value);
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
  const double floor = scorer->floor(600).value;
  const Score missing = score_of(*scorer, only_two_classes(600));
  EXPECT_GT(missing.value, 10 * floor);
  EXPECT_NEAR(missing.details.front().value, 417 / 1250.0, 1e-12);  // the share that is missing
  EXPECT_EQ(missing.class_shares[0], 0);
  EXPECT_GT(score_of(*scorer, testing::normals(600 * kSize, 1)).value, 10 * floor);
}

TEST(FrechetScorer, a_mixture_s_statistics_are_those_of_its_samples) {
  const auto scorer = make_scorer_of_stripes();
  const std::vector<float> features = features_of(*scorer, test_samples(400));
  const std::size_t cut = 100 * scorer->n_features();
  const std::vector<Statistics> parts{scorer->statistics(std::span(features).first(cut)),
                                      scorer->statistics(std::span(features).subspan(cut))};
  Statistics mixed = mix(std::vector{0.25, 0.75}, parts);
  mixed.n_samples = 400;
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
  samples[kSize * 270] = std::numeric_limits<float>::quiet_NaN();
  const Score score = score_of(*scorer, samples);
  EXPECT_TRUE(std::isnan(score.value));
  EXPECT_TRUE(std::isnan(score.details.front().value));
  EXPECT_LT(std::accumulate(score.class_shares.begin(), score.class_shares.end(), 0.0), 1 - 1e-4);
}

TEST(FrechetScorer, engines_agree) {
  if (!nn::is_available(nn::Backend::kOneDnn)) GTEST_SKIP() << "built without oneDNN";
  nn::prepare_compute_thread();
  nn::HostDevice fast({nn::Backend::kOneDnn, nn::detect_numerics_level()});
  const auto scorer = make_frechet_scorer(stripes(), judge(), fast);
  EXPECT_NEAR(scorer->floor(600).value, make_scorer_of_stripes()->floor(600).value, 1e-5);
  EXPECT_EQ(scorer->judge_hash(), make_scorer_of_stripes()->judge_hash());
}

TEST(FrechetScorer, does_not_take_a_damaged_judge) {
  Bytes bad = judge();
  bad[bad.size() / 2] ^= std::byte{1};
  EXPECT_THROW(make_frechet_scorer(stripes(), bad, testing::host()), CommError);
}

TEST(BlocksScorer, of_all_training_samples_is_zero_and_tells_no_classes) {
  const auto scorer = make_blocks_scorer(stripes());
  std::vector<std::uint32_t> indices(stripes().n_train_full());
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<float> samples(indices.size() * kSize);
  stripes().read_train(indices, samples);
  const Score score = score_of(*scorer, samples);
  EXPECT_NEAR(score.value, 0, 1e-9);
  EXPECT_TRUE(score.details.empty());
  EXPECT_TRUE(score.class_shares.empty());
}

TEST(BlocksScorer, a_missing_class_and_noise_score_worse_than_real_samples) {
  const auto scorer = make_blocks_scorer(stripes());
  const double floor = scorer->floor(600).value;
  EXPECT_EQ(floor, score_of(*scorer, test_samples(600)).value);
  EXPECT_GT(score_of(*scorer, only_two_classes(600)).value, 10 * floor);
  EXPECT_GT(score_of(*scorer, testing::normals(600 * kSize, 1)).value, 10 * floor);
}

// Pairs are scored as a whole: each half may be perfect, and still not belong to the other.
TEST(BlocksScorer, pairs_of_what_does_not_belong_together_score_worse) {
  const auto pairs = data::open_dataset("glyph-edges", {});
  const auto scorer = make_blocks_scorer(*pairs);
  std::vector<std::uint32_t> indices(1000);
  std::iota(indices.begin(), indices.end(), 0U);
  const std::size_t size = pairs->shape().size();
  std::vector<float> samples(indices.size() * size);
  pairs->read_test(indices, samples);
  std::vector<float> swapped = samples;  // each outline with the digit of the sample before
  for (std::size_t i = size; i < samples.size(); i += 2) swapped[i + 1] = samples[i + 1 - size];
  const auto score = [&](std::span<const float> values) {
    std::vector<float> features(indices.size() * scorer->n_features());
    scorer->features(values, features);
    return scorer->score(scorer->statistics(features)).value;
  };
  EXPECT_GT(score(swapped), 10 * score(samples));
}

TEST(BlocksScorer, a_sample_that_is_not_finite_loses_to_everything) {
  const auto scorer = make_blocks_scorer(stripes());
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> samples = test_samples(300);
    samples[kSize * 270] = bad;
    EXPECT_TRUE(std::isnan(score_of(*scorer, samples).value));
  }
}

TEST(BlocksScorer, other_data_is_another_judge) {
  const auto pairs = data::open_dataset("glyph-edges", {});
  EXPECT_EQ(make_blocks_scorer(stripes())->judge_hash(),
            make_blocks_scorer(stripes())->judge_hash());
  EXPECT_NE(make_blocks_scorer(stripes())->judge_hash(), make_blocks_scorer(*pairs)->judge_hash());
}

}  // namespace
}  // namespace lipizz::metrics::frechet_scorer_test
