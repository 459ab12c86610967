#include "sweep/page_data.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "sweep/texts.hpp"

namespace lipizz::sweep {
namespace {

using Json = nlohmann::json;

// More make no page that opens quickly, and none that is read.
constexpr std::size_t kMostRows = 2'000;

constexpr std::array kStates{RunState::kFinished, RunState::kStopped, RunState::kAtRung,
                             RunState::kRunning,  RunState::kStale,   RunState::kWaiting,
                             RunState::kFailed};

Json states_of(const Progress& progress) {
  Json states = Json::array();
  for (const RunState state : kStates) {
    const std::size_t n = progress.count(state);
    if (n > 0) states.push_back({{"name", name_of(state)}, {"n", n}});
  }
  return states;
}

Json settings_of(const Plan& plan) {
  Json settings = Json::array();
  for (std::size_t i = 0; i < plan.settings().size(); ++i) {
    settings.push_back({{"path", plan.settings()[i]}, {"short", plan.short_names()[i]}});
  }
  return settings;
}

Json savings_json(const Plan& plan, const Progress& progress) {
  const Savings savings = savings_of(plan, progress);
  if (savings.generations == 0) return nullptr;
  return {{"generations", savings.generations},
          {"of", savings.generations_of_all},
          {"seconds", savings.seconds}};
}

Json rungs_of(const Progress& progress) {
  Json rungs = Json::array();
  for (const Rung& rung : progress.halving.rungs) {
    rungs.push_back({{"generation", rung.generation},
                     {"before", rung.n_before},
                     {"kept", rung.n_kept},
                     {"decided", rung.is_decided}});
  }
  return rungs;
}

Json rows_of(const Plan& plan, const Figures& figures, const ScoreKind& kind) {
  Json rows = Json::array();
  for (const Row& row : figures.rows) {
    if (row.kind != kind || rows.size() == kMostRows) continue;
    rows.push_back({{"values", plan.combinations()[row.combination].values},
                    {"n", row.score.n},
                    {"mean", row.score.mean},
                    {"error", row.score.standard_error},
                    {"generations", row.generations},
                    {"seconds", row.training_s.mean},
                    {"scores", row.scores}});
  }
  return rows;
}

Json axes_of(const Plan& plan, const Figures& figures, const ScoreKind& kind) {
  Json axes = Json::array();
  for (std::size_t i = 0; i < plan.settings().size(); ++i) {
    Json points = Json::array();
    for (const AxisPoint& point : along_axis(plan, figures, kind, i)) {
      if (point.means.empty()) continue;
      points.push_back({{"value", point.value}, {"mean", point.mean.mean}, {"means", point.means}});
    }
    if (points.size() < 2) continue;
    axes.push_back({{"setting", plan.settings()[i]},
                    {"short", plan.short_names()[i]},
                    {"points", std::move(points)}});
  }
  return axes;
}

Json runs_of(const Plan& plan, const Progress& progress) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < plan.runs().size() && i < kMostRows; ++i) {
    const RunProgress& run = progress.runs[i];
    Json json{{"name", name_of(plan, plan.runs()[i])},
              {"state", name_of(run.state)},
              {"folder", run.folder.filename().string()}};
    if (const report::FinishedRun* const result = run.result()) {
      json["score"] = result->score.value;
      json["generations"] = result->generations;
      json["seconds"] = result->training_s;
    }
    runs.push_back(std::move(json));
  }
  return runs;
}

}  // namespace

std::string page_data(const Plan& plan, const SweepFolder& folder, const Progress& progress,
                      const Figures& figures) {
  Json kinds = Json::array();
  for (const ScoreKind& kind : figures.kinds) {
    kinds.push_back({{"metric", kind.metric},
                     {"text", described(kind)},
                     {"rows", rows_of(plan, figures, kind)},
                     {"axes", axes_of(plan, figures, kind)}});
  }
  const Json data{{"name", plan.sweep().name},
                  {"folder", folder.root.string()},
                  {"n_runs", plan.runs().size()},
                  {"n_combinations", plan.combinations().size()},
                  {"n_seeds", plan.sweep().seeds.size()},
                  {"states", states_of(progress)},
                  {"settings", settings_of(plan)},
                  {"notes", figures.notes},
                  {"savings", savings_json(plan, progress)},
                  {"rungs", rungs_of(progress)},
                  {"kinds", std::move(kinds)},
                  {"runs", runs_of(plan, progress)}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lipizz::sweep
