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
    for (std::size_t i = 0; i < mixed.values.size(); ++i) {
      mixed.values[i] += weights[k] * statistics[k].values[i];
    }
  }
  return mixed;
}

namespace {

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
          .kind = data::SampleKind::kImage,
          .needs_labels = true,
          .prepare_judge = prepare_image_judge,
          .make_scorer = make_frechet_scorer,
      },
      MetricEntry{
          .name = "blocks",
          .summary = "images and pairs of images: Frechet distance on the mean colours of blocks",
          .kind = data::SampleKind::kImage,
          .needs_labels = false,
          .prepare_judge = prepare_nothing,
          .make_scorer = [](const data::Dataset& dataset, std::span<const std::byte>,
                            nn::Device&) { return make_blocks_scorer(dataset); },
      },
      MetricEntry{
          .name = "modes",
          .summary = "points: reverse KL over the true modes + share of samples beyond 3 sigma",
          .kind = data::SampleKind::kPoint,
          .needs_labels = false,
          .prepare_judge = prepare_nothing,
          .make_scorer = [](const data::Dataset& dataset, std::span<const std::byte>,
                            nn::Device&) { return make_modes_scorer(dataset); },
      },
  };
  return kMetrics;
}

const MetricEntry& find_metric(std::string_view name, data::SampleKind kind,
                               std::uint32_t n_classes) {
  const auto fits = [&](const MetricEntry& metric) {
    return metric.kind == kind && (n_classes > 0 || !metric.needs_labels);
  };
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
