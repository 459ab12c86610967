#include "metrics/evaluation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "core/check.hpp"
#include "metrics/class_scores.hpp"
#include "metrics/feature_scores.hpp"
#include "metrics/features.hpp"
#include "metrics/image_similarity.hpp"
#include "metrics/sample_error.hpp"

namespace lipizz::metrics {
namespace {

constexpr std::array<std::string_view, 5> kHigherIsBetter{"inception", "modes", "within_3_sigma",
                                                          "psnr", "ssim"};

Figure::Better direction_of(std::string_view name) {
  const bool is_higher = std::ranges::find(kHigherIsBetter, name) != kHigherIsBetter.end();
  return is_higher ? Figure::Better::kHigher : Figure::Better::kLower;
}

Figure figure(std::string name, const Estimate& estimate) {
  const Figure::Better better = direction_of(name);
  return {
      .name = std::move(name), .better = better, .value = estimate.value, .error = estimate.error};
}

SampleSource part_of(const data::Dataset& dataset, Part part, std::uint32_t n) {
  return {n, [&dataset, part](std::uint32_t first, std::span<float> out) {
            std::vector<std::uint32_t> indices(out.size() / dataset.shape().size());
            std::iota(indices.begin(), indices.end(), first);
            part == Part::kTrain ? dataset.read_train(indices, out)
                                 : dataset.read_test(indices, out);
          }};
}

// Calls visit(first, samples) for one piece after the other.
template <class Visit>
void visit_pieces(const SampleSource& source, std::size_t sample_size, const Visit& visit) {
  const std::uint32_t n_rows = rows_at_once(sample_size);
  std::vector<float> samples(n_rows * sample_size);
  for (std::uint32_t first = 0; first < source.n; first += n_rows) {
    const auto piece = std::span(samples).first(std::min(n_rows, source.n - first) * sample_size);
    source.read(first, piece);
    visit(first, std::span<const float>(piece));
  }
}

std::vector<float> features_of(Scorer& scorer, const SampleSource& source,
                               std::size_t sample_size) {
  const std::size_t stride = scorer.n_features();
  std::vector<float> features(source.n * stride);
  visit_pieces(source, sample_size, [&](std::uint32_t first, std::span<const float> samples) {
    const std::size_t n = samples.size() / sample_size;
    scorer.features(samples, std::span(features).subspan(first * stride, n * stride));
  });
  return features;
}

// Every figure of one scorer's statistics, in the same order for all.
std::vector<Figure> figures_of_statistics(const Scorer& scorer, const Statistics& statistics) {
  const Score score = scorer.score(statistics);
  std::vector<Figure> figures{{.name = std::string(scorer.metric()), .value = score.value}};
  if (scorer.metric() == "modes") figures.front().name = "score";  // a detail has its name
  const auto add = [&](const std::string& name, double value) {
    figures.push_back(figure(name, {std::isnan(score.value) ? score.value : value, 0}));
  };
  for (const Score::Detail& detail : score.details) add(detail.name, detail.value);
  const auto real = scorer.real_class_shares();
  if (!real.empty()) add("js", jensen_shannon(score.class_shares, real));
  if (real.size() >= kManyClasses) {
    add("modes", static_cast<double>(n_present(score.class_shares)));
    add("kl", kullback_leibler(score.class_shares, real));
  }
  return figures;
}

std::vector<Figure> figures_with_errors(const Scorer& scorer, std::span<const float> features) {
  const std::size_t stride = scorer.n_features();
  std::vector<Statistics> parts;
  for (const RowBlock& block : jackknife_blocks(features.size() / stride)) {
    parts.push_back(
        scorer.statistics(features.subspan(block.begin * stride, block.n_rows * stride)));
  }
  std::vector<std::vector<Figure>> without;
  for (std::size_t left_out = 0; left_out < parts.size(); ++left_out) {
    std::vector<Statistics> rest = parts;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
    without.push_back(figures_of_statistics(scorer, pool(rest)));
  }
  std::vector<Figure> figures = figures_of_statistics(scorer, scorer.statistics(features));
  for (std::size_t i = 0; i < figures.size(); ++i) {
    std::vector<double> values;
    for (const std::vector<Figure>& some : without) values.push_back(some[i].value);
    figures[i].error = jackknife_error(values);
  }
  return figures;
}

// Every figure of samples by their features, beside those of reference ones.
std::vector<Figure> figures_of_features(const Scorer& scorer, std::span<const float> reference,
                                        std::span<const float> features) {
  std::vector<Figure> figures = figures_with_errors(scorer, features);
  const std::vector<float> probabilities = scorer.class_probabilities(features);
  if (!probabilities.empty()) {
    const std::size_t n_classes = scorer.real_class_shares().size();
    figures.push_back(figure("inception", inception_score({probabilities, n_classes})));
  }
  const std::vector<float> real = compared_columns(scorer, reference);
  const std::vector<float> generated = compared_columns(scorer, features);
  const std::size_t d = scorer.n_compared();
  std::ranges::move(score_neighbourhoods({real, d}, {generated, d}), std::back_inserter(figures));
  return figures;
}

// Channels from `begin` on of samples [n, pixels, n_channels].
std::vector<float> last_channels(std::span<const float> samples, std::uint32_t n_channels,
                                 std::uint32_t begin) {
  std::vector<float> result;
  for (; !samples.empty(); samples = samples.subspan(n_channels)) {
    const auto rest = samples.first(n_channels).subspan(begin);
    result.insert(result.end(), rest.begin(), rest.end());
  }
  return result;
}

/// How near each sample is to what belongs to its condition.
class PairScores {
 public:
  explicit PairScores(const data::Dataset& dataset) : dataset_(dataset) {}

  void add(std::uint32_t first, std::span<const float> samples) {
    const data::SampleShape shape = dataset_.shape();
    std::vector<float> real(samples.size());
    part_of(dataset_, Part::kTest, 0).read(first, real);
    const std::uint32_t begin = dataset_.n_condition_channels();
    const ImageSize size{shape.height, shape.width, shape.channels - begin};
    for (std::size_t i = 0; i < samples.size(); i += shape.size()) {
      const auto made = last_channels(samples.subspan(i, shape.size()), shape.channels, begin);
      const auto truth = last_channels(std::span<const float>(real).subspan(i, shape.size()),
                                       shape.channels, begin);
      l1_.push_back(mean_absolute_error(made, truth, kRange));
      psnr_.push_back(peak_signal_to_noise(made, truth, kRange));
      if (std::min(size.height, size.width) < kSsimWindow) continue;
      ssim_.push_back(structural_similarity(made, truth, size, kRange));
    }
  }

  void append_to(std::vector<Figure>& figures) const {
    figures.push_back(figure("l1", mean_of_values(l1_)));
    figures.push_back(figure("psnr", mean_of_values(psnr_)));
    if (!ssim_.empty()) figures.push_back(figure("ssim", mean_of_values(ssim_)));
  }

 private:
  static constexpr double kRange = 2;  // from -1 to 1

  const data::Dataset& dataset_;
  std::vector<double> l1_;
  std::vector<double> psnr_;
  std::vector<double> ssim_;
};

std::vector<Figure> figures_of_pairs(const data::Dataset& dataset, const SampleSource& samples) {
  PairScores scores(dataset);
  const SampleSource tested{std::min(samples.n, dataset.n_test()), samples.read};
  visit_pieces(
      tested, dataset.shape().size(),
      [&](std::uint32_t first, std::span<const float> piece) { scores.add(first, piece); });
  std::vector<Figure> figures;
  if (tested.n > 0) scores.append_to(figures);
  return figures;
}

}  // namespace

Evaluation evaluate(const data::Dataset& dataset, Scorer& scorer, const SampleSource& samples) {
  LIPIZZ_ASSERT(samples.n >= 2);
  const std::size_t size = dataset.shape().size();
  const std::uint32_t n_reference = std::min(samples.n, dataset.n_train_full());
  const auto reference = features_of(scorer, part_of(dataset, Part::kTrain, n_reference), size);
  Evaluation found{samples.n, std::min(samples.n, dataset.n_test()), {}};
  found.figures = figures_of_features(scorer, reference, features_of(scorer, samples, size));
  if (found.n_floor_samples >= 2) {
    const std::vector<float> tested = scorer.test_features(found.n_floor_samples);
    const std::size_t n_alike = std::min(n_reference, found.n_floor_samples);
    const auto alike = std::span(reference).first(n_alike * scorer.n_features());
    const std::vector<Figure> floors = figures_of_features(scorer, alike, tested);
    for (std::size_t i = 0; i < floors.size(); ++i) found.figures[i].floor = floors[i].value;
  }
  if (dataset.n_condition_channels() > 0) {
    std::ranges::move(figures_of_pairs(dataset, samples), std::back_inserter(found.figures));
  }
  return found;
}

}  // namespace lipizz::metrics
