#include "app/lineage_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/run_argument.hpp"
#include "coev/recombination.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "report/finished_run.hpp"
#include "report/lineage_text.hpp"
#include "setup/operators.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

using report::NetworkRole;
using report::Place;

constexpr int kDone = static_cast<int>(ExitCode::kDone);

struct Run {
  std::filesystem::path folder;
  config::Experiment experiment;
  grid::Torus torus;
  RunMetrics metrics;
};

Run read_run(const std::filesystem::path& given) {
  const std::filesystem::path folder = trained_folder("lineage", given);
  const config::Experiment experiment = experiment_of_run(folder);
  const grid::Torus torus = setup::torus_of(experiment);
  Run run{folder, experiment, torus, metrics_of_run(folder, torus)};
  if (run.metrics.lines.empty()) {
    throw ConfigError((folder / "metrics.jsonl").string() +
                      ": expected lines of metrics, found none; the run has not finished a "
                      "generation yet");
  }
  return run;
}

// The best of that generation; a finished run tells its own, by the final scores.
CellId best_cell(const Run& run, Generation generation) {
  const auto finished = report::read_finished_run(run.folder, run.torus);
  if (finished && finished->generations == generation) return finished->best_cell;
  const report::MetricsLine* best = nullptr;
  for (const report::MetricsLine& line : run.metrics.lines) {
    if (line.generation != generation || std::isnan(line.score)) continue;
    if (best == nullptr || line.score < best->score) best = &line;
  }
  if (best != nullptr) return best->cell;
  throw ConfigError(fmt::format(
      "lineage: no cell was scored in generation {}; name one: lipizz lineage {} ROW,COLUMN",
      generation, run.folder.string()));
}

Place newest_of(const Run& run, const CommandLine& line) {
  const Generation newest = run.metrics.newest();
  const Generation generation = line.given.has("generation")
                                    ? parse_generation(line.given.text("generation"), newest)
                                    : newest;
  if (line.arguments.size() > 1) {
    return {generation, parse_cell("lineage", line.arguments[1], run.torus)};
  }
  return {generation, best_cell(run, generation)};
}

NetworkRole role_of(const CommandLine& line) {
  const std::string name = line.given.has("network") ? line.given.text("network") : "generator";
  if (name == "generator") return NetworkRole::kGenerator;
  if (name == "discriminator") return NetworkRole::kDiscriminator;
  throw ConfigError("--network: expected generator or discriminator, found \"" + shortened(name) +
                    "\"");
}

report::Lineage lineage_of(const Run& run, NetworkRole role, const Place& newest) {
  const config::Training& training =
      role == NetworkRole::kGenerator
          ? static_cast<const config::Training&>(run.experiment.generator)
          : run.experiment.discriminator;
  return report::lineage_of(
      run.metrics.lines, role, newest,
      {.rate = setup::learning_rate_of(training, run.experiment.data.batch_size),
       .objective = training.loss});
}

[[noreturn]] void fail_missing(const Run& run, const Place& missing, const char* what) {
  throw CheckpointError(
      fmt::format("{}: expected the line of generation {} of cell {}, found it missing or damaged; "
                  "{} cannot be told",
                  (run.folder / "metrics.jsonl").string(), missing.generation,
                  report::cell_text(run.torus, missing.cell), what));
}

// To be called when all that is known has been told.
void expect_whole(const Run& run, const report::Lineage& lineage) {
  if (lineage.missing) fail_missing(run, *lineage.missing, "what the network descends from there");
}

int print(const std::string& text, std::ostream& out) {
  if (!(out << text << std::flush)) throw ConfigError("cannot write to the standard output");
  return kDone;
}

// A mean of networks descends from all of them.
std::string note_of_means(const Run& run) {
  const auto recombination = setup::configured(
      coev::recombinations(), run.experiment.operators.recombination, "recombination");
  if (!recombination->mixes || run.torus.cells() == 1) return "";
  return fmt::format(
      "recombination {}: before it trained it was mixed with the neighbours' "
      "networks; told is whose rate and loss it took on\n",
      recombination->name);
}

std::vector<report::MemberLineage> lineages_of_mixture(const Run& run, const Place& newest) {
  const report::MetricsLine* const line = report::find_line(run.metrics.lines, newest);
  if (line == nullptr) fail_missing(run, newest, "the members of its mixture");
  std::vector<report::MemberLineage> members;
  for (const Place& place : report::mixture_members(*line)) {
    const auto member =
        std::ranges::find(line->mixture, place.cell, &report::MetricsLine::Member::cell);
    members.push_back({member->weight, lineage_of(run, NetworkRole::kGenerator, place)});
  }
  return members;
}

int print_mixture(const Run& run, const Place& newest, bool as_json, std::ostream& out) {
  const auto members = lineages_of_mixture(run, newest);
  const auto is_empty = [](const auto& member) { return member.lineage.ancestors.empty(); };
  if (const auto lost = std::ranges::find_if(members, is_empty); lost != members.end()) {
    expect_whole(run, lost->lineage);
  }
  print(as_json ? report::mixture_json(members, run.torus)
                : report::mixture_text(members, run.torus) + note_of_means(run),
        out);
  for (const report::MemberLineage& member : members) expect_whole(run, member.lineage);
  return kDone;
}

int print_one(const Run& run, NetworkRole role, const Place& newest, bool as_json,
              std::ostream& out) {
  const report::Lineage lineage = lineage_of(run, role, newest);
  if (as_json) {
    print(report::lineage_json(lineage, run.torus), out);
  } else if (!lineage.ancestors.empty()) {
    print(report::lineage_text(lineage, role, run.torus) + note_of_means(run), out);
  }
  expect_whole(run, lineage);
  return kDone;
}

}  // namespace

int lineage_command(const CommandLine& line, std::ostream& out) {
  const NetworkRole role = role_of(line);
  const bool is_mixture = line.given.has_flag("mixture");
  if (is_mixture && role == NetworkRole::kDiscriminator) {
    throw ConfigError("--mixture: a mixture is made of generators; leave --network out");
  }
  const Run run = read_run(line.arguments.front());
  const Place newest = newest_of(run, line);
  const bool as_json = line.given.has_flag("json");
  return is_mixture ? print_mixture(run, newest, as_json, out)
                    : print_one(run, role, newest, as_json, out);
}

}  // namespace lipizz::app
