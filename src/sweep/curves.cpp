#include "sweep/curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "report/metrics_reader.hpp"
#include "setup/settings.hpp"
#include "sweep/tables.hpp"

namespace lipizz::sweep {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Gathered {
  std::vector<double> scores;
  std::vector<double> cpu_s;
};

// One generation of one run.
struct Turn {
  double best = kNone;
  double cpu_s = 0;
};

std::map<Generation, Turn> turns_of(const std::filesystem::path& run, const grid::Torus& torus) {
  std::map<Generation, Turn> turns;
  report::MetricsReader reader(run / "metrics.jsonl", torus);
  for (const report::MetricsLine& line : reader.read()) {
    Turn& turn = turns[line.generation];
    if (!(line.score >= turn.best)) turn.best = std::isnan(line.score) ? turn.best : line.score;
    for (const report::Named& routine : line.seconds) {
      if (routine.name != "gather") turn.cpu_s += routine.value;
    }
  }
  return turns;
}

}  // namespace

std::vector<CurvePoint> curve_of(const std::vector<std::filesystem::path>& runs,
                                 const grid::Torus& torus) {
  std::map<Generation, Gathered> gathered;
  for (const std::filesystem::path& run : runs) {
    double cpu_s = 0;
    for (const auto& [generation, turn] : turns_of(run, torus)) {
      cpu_s += turn.cpu_s;
      gathered[generation].scores.push_back(turn.best);
      gathered[generation].cpu_s.push_back(cpu_s);
    }
  }
  std::vector<CurvePoint> curve;
  for (const auto& [generation, found] : gathered) {
    const report::Repetitions score = report::summarize(found.scores);
    if (score.n == 0) continue;  // it was not one of those that are scored
    curve.push_back(
        {.generation = generation, .score = score, .cpu_s = report::summarize(found.cpu_s).mean});
  }
  return curve;
}

std::string curves_csv(const Plan& plan, const Progress& progress, const Figures& figures) {
  std::vector<std::string> header = plan.settings();
  for (const char* name :
       {"metric", "judge", "numerics", "generation", "n", "mean", "standard_error", "cpu_s"}) {
    header.emplace_back(name);
  }
  std::vector<std::vector<std::string>> rows;
  for (const Row& row : figures.rows) {
    std::vector<std::filesystem::path> runs;
    for (const std::size_t run : row.runs) runs.push_back(progress.runs[run].folder);
    const grid::Torus torus = setup::torus_of(plan.experiment(plan.runs()[row.runs.front()]));
    for (const CurvePoint& point : curve_of(runs, torus)) {
      rows.push_back(plan.combinations()[row.combination].values);
      for (const std::string& cell :
           {row.kind.metric, row.kind.judge, row.kind.numerics, std::to_string(point.generation),
            std::to_string(point.score.n), exact_figure(point.score.mean),
            exact_figure(point.score.standard_error), exact_figure(point.cpu_s)}) {
        rows.back().push_back(cell);
      }
    }
  }
  return csv(header, rows);
}

}  // namespace lipizz::sweep
