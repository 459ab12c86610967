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

std::span<const MetricEntry> metrics() {
  static constexpr std::array kMetrics{
      MetricEntry{
          "frechet",
          "images: Frechet distance on 64 features of a classifier trained on the dataset itself",
          data::SampleKind::kImage,
          prepare_image_judge,
          make_frechet_scorer,
      },
      MetricEntry{
          "modes",
          "points: reverse KL over the true modes + share of samples beyond 3 sigma",
          data::SampleKind::kPoint,
          [](const data::Dataset&, const std::filesystem::path&, const Log&) { return Bytes{}; },
          [](const data::Dataset& dataset, std::span<const std::byte>, const nn::Engine&) {
            return make_modes_scorer(dataset);
          },
      },
  };
  return kMetrics;
}

const MetricEntry& find_metric(std::string_view name, data::SampleKind kind) {
  const auto fitting = std::ranges::find(metrics(), kind, &MetricEntry::kind);
  if (name == "auto" || name == fitting->name) return *fitting;
  std::vector<std::string> names{"auto"};
  for (const MetricEntry& entry : metrics()) {
    if (entry.name == name) {
      throw ConfigError("metric " + std::string(name) +
                        " does not fit the dataset's samples; use " + std::string(fitting->name) +
                        " or auto");
    }
    names.emplace_back(entry.name);
  }
  throw ConfigError("there is no metric \"" + std::string(name) + "\"" + suggestion(name, names));
}

std::vector<std::byte> prepare_judge(const data::Dataset& dataset,
                                     const std::filesystem::path& cache_dir, const Log& log) {
  nn::prepare_compute_thread();
  const Log safe_log = log ? log : [](std::string_view) {};
  return find_metric("auto", dataset.kind()).prepare_judge(dataset, cache_dir, safe_log);
}

std::unique_ptr<Scorer> make_scorer(const data::Dataset& dataset, std::span<const std::byte> judge,
                                    const nn::Engine& engine) {
  return find_metric("auto", dataset.kind()).make_scorer(dataset, judge, engine);
}

}  // namespace lipizz::metrics
