#include "metrics/evaluation.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "metrics/class_scores.hpp"
#include "metrics/frechet_scorer.hpp"
#include "metrics/judge.hpp"
#include "metrics/modes_scorer.hpp"
#include "metrics/support.hpp"

namespace lipizz::metrics::evaluation_test {
namespace {

using testing::StripeImages;

const StripeImages& stripes() {
  static const StripeImages data;
  return data;
}

Scorer& frechet() {
  static const Bytes judge = pack_judge(train_judge(stripes(), testing::kUnwatched), stripes());
  static const auto scorer = make_frechet_scorer(stripes(), judge, testing::host());
  return *scorer;
}

SampleSource test_part(const data::Dataset& dataset, std::uint32_t n) {
  return {n, [&dataset](std::uint32_t first, std::span<float> out) {
            std::vector<std::uint32_t> indices(out.size() / dataset.shape().size());
            std::iota(indices.begin(), indices.end(), first);
            dataset.read_test(indices, out);
          }};
}

SampleSource noise(std::uint32_t n, std::size_t sample_size) {
  return {n, [=](std::uint32_t first, std::span<float> out) {
            for (std::size_t i = 0; i < out.size(); i += sample_size) {
              const auto values = testing::normals(sample_size, first + i / sample_size);
              std::ranges::copy(values, out.begin() + static_cast<std::ptrdiff_t>(i));
            }
          }};
}

std::map<std::string, Figure> by_name(const Evaluation& evaluation) {
  std::map<std::string, Figure> figures;
  for (const Figure& figure : evaluation.figures) {
    EXPECT_TRUE(figures.emplace(figure.name, figure).second) << figure.name << " twice";
  }
  return figures;
}

std::vector<std::string> names(const Evaluation& evaluation) {
  std::vector<std::string> all;
  for (const Figure& figure : evaluation.figures) all.push_back(figure.name);
  return all;
}

TEST(Evaluation, of_the_first_test_samples_is_the_floor_exactly) {
  const Evaluation found = evaluate(stripes(), frechet(), test_part(stripes(), 300));
  EXPECT_EQ(found.n_samples, 300U);
  EXPECT_EQ(found.n_floor_samples, 300U);
  EXPECT_THAT(names(found), ::testing::ElementsAre("frechet", "tvd", "js", "inception", "kernel",
                                                   "precision", "recall", "density", "coverage"));
  for (const Figure& figure : found.figures) {
    EXPECT_EQ(figure.value, figure.floor) << figure.name;
    EXPECT_GE(figure.error, 0) << figure.name;
  }
  EXPECT_EQ(found.figures.front().value, frechet().floor(300).value) << "as while training";
  EXPECT_NEAR(by_name(found)["coverage"].value, 1 - 1 / 32.0, 0.06);
  EXPECT_GT(by_name(found)["inception"].value, 1.2) << "of a judge that is not sure";
}

TEST(Evaluation, noise_is_a_hundred_times_worse_than_the_floor) {
  const auto found = by_name(evaluate(stripes(), frechet(), noise(300, StripeImages::kSize)));
  EXPECT_GT(found.at("frechet").value, 100 * found.at("frechet").floor);
  EXPECT_GT(found.at("kernel").value, found.at("kernel").floor + 3 * found.at("kernel").error);
  EXPECT_LT(found.at("coverage").value, 0.1);
  EXPECT_EQ(found.at("frechet").better, Figure::Better::kLower);
  EXPECT_EQ(found.at("coverage").better, Figure::Better::kHigher);
}

TEST(Evaluation, twice_is_the_same_to_the_last_digit) {
  const Evaluation once = evaluate(stripes(), frechet(), noise(100, StripeImages::kSize));
  const Evaluation again = evaluate(stripes(), frechet(), noise(100, StripeImages::kSize));
  for (std::size_t i = 0; i < once.figures.size(); ++i) {
    EXPECT_EQ(once.figures[i].value, again.figures[i].value);
    EXPECT_EQ(once.figures[i].error, again.figures[i].error);
  }
}

TEST(Evaluation, of_more_samples_than_the_test_part_names_what_the_floor_has) {
  const SampleSource twice{700, [](std::uint32_t first, std::span<float> out) {
                             std::vector<std::uint32_t> indices(out.size() / StripeImages::kSize);
                             std::iota(indices.begin(), indices.end(), first);
                             stripes().read_train(indices, out);
                           }};
  const Evaluation found = evaluate(stripes(), frechet(), twice);
  EXPECT_EQ(found.n_samples, 700U);
  EXPECT_EQ(found.n_floor_samples, 600U);
  EXPECT_EQ(by_name(found)["frechet"].floor, frechet().floor(600).value);
}

TEST(Evaluation, of_a_missing_class_tells_it) {
  const SampleSource two{200, [](std::uint32_t first, std::span<float> out) {
                           std::vector<std::uint32_t> indices;
                           for (std::size_t i = 0; i < out.size() / StripeImages::kSize; ++i) {
                             const auto sample = static_cast<std::uint32_t>(first + i);
                             indices.push_back(sample / 2 * 3 + sample % 2);
                           }
                           stripes().read_train(indices, out);
                         }};
  const auto found = by_name(evaluate(stripes(), frechet(), two));
  EXPECT_NEAR(found.at("tvd").value, 1 / 3.0, 0.01);
  const std::vector<double> made{0.5, 0.5, 0};
  EXPECT_NEAR(found.at("js").value, jensen_shannon(made, std::vector<double>(3, 1 / 3.0)), 0.01);
  EXPECT_LT(found.at("recall").value, 0.75);
}

TEST(Evaluation, of_points_has_the_modes_scorer_s_figures) {
  const auto points = data::open_dataset("ring8", {});
  const auto scorer = make_modes_scorer(*points);
  const Evaluation found = evaluate(*points, *scorer, test_part(*points, 500));
  EXPECT_THAT(names(found),
              ::testing::ElementsAre("score", "modes", "within_3_sigma", "reverse_kl", "kernel",
                                     "precision", "recall", "density", "coverage"));
  EXPECT_EQ(by_name(found)["modes"].value, 8);
  EXPECT_EQ(by_name(found)["modes"].better, Figure::Better::kHigher);
  EXPECT_EQ(by_name(found)["reverse_kl"].better, Figure::Better::kLower);
}

TEST(Evaluation, of_pairs_holds_what_was_made_against_what_belongs_there) {
  const auto pairs = data::open_dataset("glyph-edges", {});
  const auto scorer = make_blocks_scorer(*pairs);
  const auto truth = by_name(evaluate(*pairs, *scorer, test_part(*pairs, 60)));
  EXPECT_EQ(truth.at("l1").value, 0);
  EXPECT_EQ(truth.at("psnr").value, std::numeric_limits<double>::infinity());
  EXPECT_EQ(truth.at("ssim").value, 1);
  EXPECT_TRUE(std::isnan(truth.at("l1").floor));
  const SampleSource black{60, [&](std::uint32_t first, std::span<float> out) {
                             test_part(*pairs, 60).read(first, out);
                             for (std::size_t i = 1; i < out.size(); i += 2) out[i] = -1;
                           }};
  const auto found = by_name(evaluate(*pairs, *scorer, black));
  double sum = 0;  // of all target values above black
  std::vector<float> samples(60 * pairs->shape().size());
  test_part(*pairs, 60).read(0, samples);
  for (std::size_t i = 1; i < samples.size(); i += 2) sum += (samples[i] + 1) / 2;
  EXPECT_NEAR(found.at("l1").value, sum / double(samples.size() / 2), 1e-6);
  EXPECT_LT(found.at("ssim").value, 0.9);
  EXPECT_GT(found.at("l1").error, 0);
}

/// Images of a million pixels, of one grey each.
class LargeImages final : public StripeImages {
 public:
  LargeImages() { forget_labels(); }
  [[nodiscard]] data::SampleShape shape() const override { return {1024, 1024, 1}; }
  [[nodiscard]] std::uint32_t n_train_full() const override { return 4; }
  [[nodiscard]] std::uint32_t n_test() const override { return 3; }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    for (const std::uint32_t index : indices) {
      std::ranges::fill(out.first(shape().size()), 0.1f * static_cast<float>(index));
      out = out.subspan(shape().size());
    }
  }
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    read_train(indices, out);
  }
};

TEST(Evaluation, takes_few_large_samples_at_a_time) {
  const LargeImages images;
  const auto scorer = make_blocks_scorer(images);
  std::size_t n_most = 0;
  const SampleSource samples{3, [&](std::uint32_t first, std::span<float> out) {
                               n_most = std::max(n_most, out.size());
                               test_part(images, 3).read(first, out);
                             }};
  const Evaluation found = evaluate(images, *scorer, samples);
  EXPECT_EQ(n_most, images.shape().size());
  EXPECT_EQ(found.figures.front().value, found.figures.front().floor);
}

TEST(Evaluation, of_what_is_not_finite_is_not_a_number) {
  const SampleSource bad{100, [](std::uint32_t first, std::span<float> out) {
                           test_part(stripes(), 100).read(first, out);
                           if (first == 0) out[5] = std::numeric_limits<float>::quiet_NaN();
                         }};
  for (const Figure& figure : evaluate(stripes(), frechet(), bad).figures) {
    EXPECT_TRUE(std::isnan(figure.value)) << figure.name;
  }
}

}  // namespace
}  // namespace lipizz::metrics::evaluation_test
