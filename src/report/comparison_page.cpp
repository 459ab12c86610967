#include "report/comparison_page.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/text.hpp"
#include "report/comparison_text.hpp"
#include "report/history.hpp"
#include "report/page.hpp"
#include "report/page_files.hpp"
#include "report/series_text.hpp"

namespace lipizz::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kPoints = 500;  // of a curve

// Six digits, as metrics have; more would only fill the page.
OrderedJson number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return OrderedJson::parse(fmt::format("{:.6g}", value));
}

OrderedJson best_of(const FinishedRun& run) {
  if (!run.best) return nullptr;
  return {{"value", number(run.best->value)}, {"generation", run.best->generation}};
}

void add_result(OrderedJson& json, const FinishedRun& run) {
  json["score"] = number(run.score.value);
  json["best"] = best_of(run);
  json["floor"] = number(run.score.floor);
  json["samples"] = run.score.n_samples;
  json["seconds"] = number(run.training_s);
  json["is_resumed"] = run.from_generation > 0;
  json["numerics"] = run.numerics;
  json["fingerprint"] = run.fingerprint;
}

OrderedJson values_at(const std::vector<SettingDifference>& differences, std::size_t place) {
  OrderedJson values = OrderedJson::array();
  for (const SettingDifference& difference : differences) {
    values.push_back(difference.values[place]);
  }
  return values;
}

OrderedJson paths_of(const std::vector<SettingDifference>& differences) {
  OrderedJson paths = OrderedJson::array();
  for (const SettingDifference& difference : differences) paths.push_back(difference.path);
  return paths;
}

OrderedJson runs_of(const Comparison& comparison) {
  OrderedJson runs = OrderedJson::array();
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const ComparedRun& run = comparison.runs[i];
    OrderedJson json{{"name", run.folder.filename().string()},
                     {"folder", run.folder.string()},
                     {"generations", run.experiment.generations},
                     {"reached", run.result ? run.result->generations : run.reached},
                     {"grid", grid_text(run)},
                     {"settings", values_at(comparison.differences, i)}};
    if (run.result) add_result(json, *run.result);
    runs.push_back(std::move(json));
  }
  return runs;
}

OrderedJson groups_of(const Comparison& comparison,
                      const std::vector<SettingDifference>& differences) {
  OrderedJson groups = OrderedJson::array();
  for (std::size_t i = 0; i < comparison.groups.size(); ++i) {
    const auto& [runs, scores] = comparison.groups[i];
    groups.push_back({{"runs", runs},
                      {"n", scores.n},
                      {"mean", number(scores.mean)},
                      {"error", number(scores.standard_error)},
                      {"settings", values_at(differences, i)}});
  }
  return groups;
}

OrderedJson curve_of(const ComparedRun& run, std::size_t place) {
  const config::Grid& grid = run.experiment.grid;
  const History history = read_history(run.folder / "metrics.jsonl", {grid.rows, grid.columns});
  return {{"run", place},
          {"series", OrderedJson::parse(sparse_series_text(history.best_scores(), kPoints))}};
}

OrderedJson curves_of(const Comparison& comparison) {
  OrderedJson curves = OrderedJson::array();
  for (std::size_t i = 0; i < comparison.n_finished; ++i) {
    if (i < kMostCurves || comparison.against == i) {
      curves.push_back(curve_of(comparison.runs[i], i));
    }
  }
  return curves;
}

}  // namespace

std::string comparison_data(const Comparison& comparison) {
  const std::vector<SettingDifference> between_groups = group_differences(comparison);
  OrderedJson json{
      {"parent", common_parent(comparison)},
      {"metric", nullptr},
      {"judge", nullptr},
      {"settings", paths_of(comparison.differences)},
      {"runs", runs_of(comparison)},
      {"groups", groups_of(comparison, between_groups)},
      {"group_settings", paths_of(between_groups)},
      {"against", comparison.against ? OrderedJson(*comparison.against) : OrderedJson(nullptr)},
      {"equals", equals_of_reference(comparison)},
      {"curves", curves_of(comparison)}};
  if (comparison.n_finished > 0) {
    json["metric"] = comparison.runs.front().result->score.metric;
    json["judge"] = comparison.runs.front().result->score.judge;
  }
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

void write_comparison_page(const Comparison& comparison, const std::filesystem::path& file) {
  write_page(file, {.title = counted(comparison.runs.size(), "run") + " compared",
                    .data = comparison_data(comparison),
                    .scripts = {kCompareScript}});
}

}  // namespace lipizz::report
