#include "app/dataset_scorer.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "core/bytes.hpp"
#include "worker/shared_resources.hpp"

namespace lipizz::app {
namespace {

data::Log log_of_judge() {
  const auto tell = [](std::string_view text) { fmt::print(stderr, "{}\n", text); };
  return {.info = tell, .warning = tell};
}

}  // namespace

std::unique_ptr<metrics::Scorer> open_scorer(const std::string& metric,
                                             const data::Dataset& dataset,
                                             const std::filesystem::path& run, nn::Device& device) {
  const metrics::MetricEntry& entry = metrics::find_metric(metric, data::form_of(dataset));
  const Bytes judge =
      entry.prepare_judge(dataset, worker::cache_folders(run), log_of_judge(), [](double) {});
  return entry.make_scorer(dataset, judge, device);
}

}  // namespace lipizz::app
