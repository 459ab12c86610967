#include "sweep/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/text.hpp"

namespace lipizz::sweep {
namespace {

// Runs whose scores may be averaged.
using FigureKey = std::tuple<ScoreKind, Generation, std::size_t>;

struct RunsOfFigure {
  std::vector<std::size_t> runs;
  std::vector<double> scores;
  std::vector<double> training_s;
  std::vector<double> floors;
};

std::map<FigureKey, RunsOfFigure> gathered(const Plan& plan, const Progress& progress) {
  std::map<FigureKey, RunsOfFigure> all;
  for (std::size_t i = 0; i < plan.runs().size(); ++i) {
    const report::FinishedRun* const result = progress.runs[i].result();
    if (result == nullptr) continue;
    const std::size_t combination = plan.runs()[i].combination;
    const Generation generations =
        plan.has_patience(combination) ? plan.generations(combination) : result->generations;
    RunsOfFigure& found = all[{kind_of(*result), generations, combination}];
    found.runs.push_back(i);
    found.scores.push_back(result->score.value);
    found.training_s.push_back(result->training_s);
    found.floors.push_back(result->score.floor);
  }
  return all;
}

bool is_before(const Row& a, const Row& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.generations != b.generations) return a.generations > b.generations;
  const bool a_loses = std::isnan(a.score.mean);
  const bool b_loses = std::isnan(b.score.mean);
  if (a_loses != b_loses) return b_loses;
  if (a_loses || a.score.mean == b.score.mean) return a.combination < b.combination;
  return a.score.mean < b.score.mean;
}

Generation longest(const Figures& figures, const ScoreKind& kind) {
  Generation most = 0;
  for (const Row& row : figures.rows) {
    if (row.kind == kind) most = std::max(most, row.generations);
  }
  return most;
}

void note_what_is_missing(const Plan& plan, const Progress& progress, Figures& figures) {
  const auto n_without = static_cast<std::size_t>(std::ranges::count_if(
      progress.runs, [](const RunProgress& run) { return run.result() == nullptr; }));
  if (n_without > 0) {
    figures.notes.push_back(
        fmt::format("{} of {} have no result yet", n_without, counted(plan.runs().size(), "run")));
  }
  for (std::size_t i = 0; i < progress.runs.size(); ++i) {
    if (progress.runs[i].state != RunState::kFailed) continue;
    figures.notes.push_back(plan.runs()[i].folder + " failed: " + progress.runs[i].end->text);
  }
}

void note_what_is_not_comparable(const Plan& plan, Figures& figures) {
  if (figures.kinds.size() < 2) return;
  std::vector<std::string> kinds;
  for (const ScoreKind& kind : figures.kinds) kinds.push_back(described(kind));
  figures.notes.push_back("scores of different kinds are neither averaged nor ranked together: " +
                          join(kinds, "; "));
  for (std::size_t i = 0; i < plan.combinations().size(); ++i) {
    std::vector<ScoreKind> own;
    for (const Row& row : figures.rows) {
      const bool is_new = std::ranges::find(own, row.kind) == own.end();
      if (row.combination == i && is_new) own.push_back(row.kind);
    }
    if (own.size() < 2) continue;
    figures.notes.push_back("the seeds of " + plan.combinations()[i].label +
                            " have scores of different kinds, and a row for each");
  }
}

}  // namespace

Figures figures_of(const Plan& plan, const Progress& progress) {
  Figures figures;
  for (const auto& [key, found] : gathered(plan, progress)) {
    const auto& [kind, generations, combination] = key;
    if (std::ranges::find(figures.kinds, kind) == figures.kinds.end())
      figures.kinds.push_back(kind);
    figures.rows.push_back({.combination = combination,
                            .kind = kind,
                            .generations = generations,
                            .runs = found.runs,
                            .scores = found.scores,
                            .score = report::summarize(found.scores),
                            .training_s = report::summarize(found.training_s),
                            .floor = report::summarize(found.floors).mean});
  }
  std::ranges::sort(figures.rows, is_before);
  note_what_is_missing(plan, progress, figures);
  note_what_is_not_comparable(plan, figures);
  return figures;
}

const Row* best_of(const Figures& figures, const ScoreKind& kind, std::size_t n_seeds) {
  const Generation most = longest(figures, kind);
  const Row* first = nullptr;
  for (const Row& row : figures.rows) {
    if (row.kind != kind || row.generations != most) continue;
    if (row.score.n == n_seeds && !std::isnan(row.score.mean)) return &row;
    if (first == nullptr) first = &row;
  }
  return first;
}

std::vector<AxisPoint> along_axis(const Plan& plan, const Figures& figures, const ScoreKind& kind,
                                  std::size_t setting) {
  std::vector<AxisPoint> points;
  for (const Combination& combination : plan.combinations()) {
    const std::string& value = combination.values[setting];
    const bool is_new = std::ranges::find(points, value, &AxisPoint::value) == points.end();
    if (is_new) points.push_back({.value = value, .means = {}, .mean = {}});
  }
  const Generation most = longest(figures, kind);
  for (const Row& row : figures.rows) {
    if (row.kind != kind || row.generations != most) continue;
    const std::string& value = plan.combinations()[row.combination].values[setting];
    std::ranges::find(points, value, &AxisPoint::value)->means.push_back(row.score.mean);
  }
  for (AxisPoint& point : points) point.mean = report::summarize(point.means);
  return points;
}

Savings savings_of(const Plan& plan, const Progress& progress) {
  Savings savings;
  for (std::size_t i = 0; i < plan.runs().size(); ++i) {
    const std::size_t combination = plan.runs()[i].combination;
    const Generation all = plan.generations(combination);
    savings.generations_of_all += all;
    const RunProgress& run = progress.runs[i];
    if (run.state != RunState::kStopped) continue;
    const report::FinishedRun& last = *run.result();
    const Generation saved = all > last.generations ? all - last.generations : 0;
    savings.generations += saved;
    const double trained = last.generations - last.from_generation;
    if (trained > 0) savings.seconds += saved * last.training_s / trained;
  }
  return savings;
}

}  // namespace lipizz::sweep
