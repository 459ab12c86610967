#include "metrics/scorer.hpp"

#include <algorithm>
#include <array>

#include "core/check.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "metrics/frechet_scorer.hpp"
#include "metrics/judge.hpp"
#include "metrics/modes_scorer.hpp"

namespace lipizz::metrics {

Statistics mix(std::span<const double> weights, std::span<const Statistics> statistics) {
  LIPIZZ_ASSERT(!statistics.empty() && weights.size() == statistics.size());
  Statistics mixed{std::vector<double>(statistics.front().values.size())};
  for (std::size_t k = 0; k < weights.size(); ++k) {
    LIPIZZ_ASSERT(statistics[k].values.size() == mixed.values.size());
    if (weights[k] == 0) continue;  // a generator that is not asked may be broken
    mixed.n_samples += weights[k] * statistics[k].n_samples;
    for (std::size_t i = 0; i < mixed.values.size(); ++i) {
      mixed.values[i] += weights[k] * statistics[k].values[i];
    }
  }
  return mixed;
}

Statistics pool(std::span<const Statistics> parts) {
  double n = 0;
  for (const Statistics& part : parts) n += part.n_samples;
  std::vector<double> weights;
  for (const Statistics& part : parts) weights.push_back(part.n_samples / n);
  Statistics whole = mix(weights, parts);
  whole.n_samples = n;
  return whole;
}

Scorer::Floor Scorer::floor(std::uint32_t n_samples) {
  const std::vector<float> features = test_features(n_samples);
  return {score(statistics(features)).value,
          static_cast<std::uint32_t>(features.size() / n_features())};
}

std::vector<float> compared_columns(const Scorer& scorer, std::span<const float> features) {
  std::vector<float> values;
  for (; !features.empty(); features = features.subspan(scorer.n_features())) {
    const auto row = features.first(scorer.n_compared());
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

namespace {

bool is_image(const data::SampleForm& form) {
  return form.kind == data::SampleKind::kImage;
}

bool is_point(const data::SampleForm& form) {
  return form.kind == data::SampleKind::kPoint;
}

// The classifier's convolutions take 16x16 pixels at least.
bool can_be_classified(const data::SampleForm& form) {
  return is_image(form) && form.n_classes > 0 &&
         std::min(form.shape.height, form.shape.width) >= 16;
}

// Points have classes where those are known modes of the plane.
bool has_modes(const data::SampleForm& form) {
  return is_point(form) && form.n_classes > 0 && form.shape.size() == 2;
}

Bytes prepare_nothing(const data::Dataset&, const CacheFolders&, const Log&, const Progress&) {
  return {};
}

}  // namespace

std::span<const MetricEntry> metrics() {
  static constexpr std::array kMetrics{
      MetricEntry{
          .name = "frechet",
          .summary = "labelled images: Frechet distance on 64 features of a classifier trained on "
                     "the dataset itself",
          .fits = can_be_classified,
          .has_judge = true,
          .prepare_judge = prepare_image_judge,
          .make_scorer = make_frechet_scorer,
      },
      MetricEntry{
          .name = "blocks",
          .summary = "images and pairs of images: Frechet distance on the mean colours of blocks",
          .fits = is_image,
          .prepare_judge = prepare_nothing,
          .make_scorer = [](const data::Dataset& dataset, std::span<const std::byte>,
                            nn::Device&) { return make_blocks_scorer(dataset); },
      },
      MetricEntry{
          .name = "modes",
          .summary = "points: reverse KL over the true modes + share of samples beyond 3 sigma",
          .fits = has_modes,
          .prepare_judge = prepare_nothing,
          .make_scorer = [](const data::Dataset& dataset, std::span<const std::byte>,
                            nn::Device&) { return make_modes_scorer(dataset); },
      },
      MetricEntry{
          .name = "fourier",
          .summary = "points: Frechet distance on 64 random Fourier features",
          .fits = is_point,
          .prepare_judge = prepare_nothing,
          .make_scorer = [](const data::Dataset& dataset, std::span<const std::byte>,
                            nn::Device&) { return make_fourier_scorer(dataset); },
      },
  };
  return kMetrics;
}

const MetricEntry& find_metric(std::string_view name, const data::SampleForm& form) {
  const auto fits = [&](const MetricEntry& metric) { return metric.fits(form); };
  const MetricEntry& first = *std::ranges::find_if(metrics(), fits);
  if (name == "auto") return first;
  const auto found = std::ranges::find(metrics(), name, &MetricEntry::name);
  if (found == metrics().end()) {
    std::vector<std::string> names{"auto"};
    for (const MetricEntry& entry : metrics()) names.emplace_back(entry.name);
    throw ConfigError("there is no metric \"" + shortened(name) + "\"" + suggestion(name, names));
  }
  if (fits(*found)) return *found;
  throw ConfigError("metric " + std::string(name) + " does not fit the dataset's samples; use " +
                    std::string(first.name) + " or auto");
}

}  // namespace lipizz::metrics
