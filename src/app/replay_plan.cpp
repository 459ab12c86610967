#include "app/replay_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

#include "app/load_experiment.hpp"
#include "app/rank_setup.hpp"
#include "app/run_in_process.hpp"
#include "checkpoint/run_checkpoints.hpp"
#include "checkpoint/safetensors.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "report/finished_run.hpp"
#include "report/lineage_text.hpp"
#include "report/replay_cost.hpp"
#include "setup/run_plan.hpp"
#include "setup/settings.hpp"
#include "setup/validate.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

void expect_replayable(const config::Experiment& experiment) {
  if (config::is_asynchronous(experiment)) {
    throw ConfigError(
        "replay: the run's exchange is asynchronous, so that its results depended on timing; only "
        "synchronous runs can be computed again");
  }
  if (experiment.compute.device != "cpu") {
    throw ConfigError("replay: the run was trained with device " + experiment.compute.device +
                      ", and GPUs do not give the same bits again; only runs on the processor can "
                      "be replayed");
  }
}

// The run's own settings with those of the command line, as a resume would take them.
config::Experiment load(const CommandLine& line, const fs::path& run) {
  CommandLine resumed = line;
  resumed.run.resume_dir = run;
  config::Experiment experiment = load_experiment(resumed, std::getenv("LIPIZZ_DATA_DIR"));
  expect_replayable(experiment);
  experiment.compute.ranks_per_cell = 1;  // no bit depends on it, nor on what follows
  experiment.compute.pipeline = {};
  experiment.generator.offload = "none";
  experiment.discriminator.offload = "none";
  setup::validate(experiment);
  return experiment;
}

// As if so many threads had come together to resume the run.
setup::Agreement agree(const RankSetup& own, std::size_t n_threads) {
  const std::vector<comm::InventoryEntry> inventory(1 + n_threads, own.entry);
  return setup::agree(inventory, own.experiment, {});
}

checkpoint::Lineage expected_lineage(const config::Experiment& experiment) {
  return {.configuration = config::lineage_hash(experiment),
          .numerics = experiment.compute.numerics};
}

// The one that the run's newest file bears; none where there is none, or it cannot be read: then it
// is not what the replay goes on from, and only one thing less is known of the data.
std::optional<checkpoint::Lineage> saved_lineage(const checkpoint::RunCheckpoints& files) {
  const Generation generation = files.newest_with_all_files();
  if (generation == 0) return std::nullopt;
  const fs::path file = files.file(generation, {0});
  try {
    return checkpoint::origin_of(checkpoint::read_tensors(file).metadata(), file.string()).lineage;
  } catch (const CheckpointError&) {
    return std::nullopt;
  }
}

struct Start {
  Generation generation = 0;
  std::vector<std::string> notes;
};

Start find_start(const checkpoint::RunCheckpoints& files, Generation last,
                 const config::Experiment& experiment) {
  auto found = files.newest_complete(last, expected_lineage(experiment));
  const auto n_beyond = static_cast<std::ptrdiff_t>(found.n_beyond);
  return {found.generation, {found.skipped.begin() + n_beyond, found.skipped.end()}};
}

std::vector<CellId> all_cells(const grid::Torus& torus) {
  std::vector<CellId> cells;
  for (std::uint32_t cell = 0; cell < torus.cells(); ++cell) cells.push_back({cell});
  return cells;
}

// The cells that have to be there at the end: a final mixture is made of what all its members are
// then.
std::vector<CellId> cells_at_end(const config::Experiment& experiment,
                                 const std::vector<CellId>& targets, Generation last,
                                 bool is_final) {
  if (!is_final) return targets;
  return grid::with_neighbours(setup::torus_of(experiment), setup::schedule_of(experiment).at(last),
                               targets);
}

// The generation that ends the run, or has ended it: out of patience it may be an earlier one than
// the configuration has.
Generation last_generation(const fs::path& run, const config::Experiment& experiment) {
  const auto finished = report::read_finished_run(run);
  return finished ? finished->generations : experiment.generations;
}

Generation asked_generation(const CommandLine& line, const RunMetrics& metrics) {
  if (!line.given.has("generation")) {
    throw ConfigError(fmt::format("replay: expected --generation N, up to {}", metrics.newest()));
  }
  return parse_generation(line.given.text("generation"), metrics.newest());
}

std::string cost_text(const ReplayPlan& plan) {
  const std::uint64_t n = plan.cone.n_cell_generations();
  if (n == 0) return "which is there: no cell has to be trained";
  const std::uint64_t whole = std::uint64_t{setup::torus_of(plan.experiment).cells()} *
                              (plan.generation() - plan.cone.start());
  const std::string seconds =
      std::isnan(plan.cpu_s)
          ? "how long that takes is not known, since no line of metrics tells"
          : fmt::format("about {} s of CPU time, on {}", seconds_text(plan.cpu_s),
                        counted(plan.n_threads(), "thread"));
  return fmt::format("{} of {} that the run computed from there; {}", counted(n, "cell-generation"),
                     whole, seconds);
}

}  // namespace

ReplayPlan plan_replay(const CommandLine& line) {
  const fs::path run = run_folder("replay", line.arguments.front());
  const config::Experiment given = load(line, run);
  const grid::Torus torus = setup::torus_of(given);
  RunMetrics metrics = metrics_of_run(run, torus);
  const Generation generation = asked_generation(line, metrics);
  const bool is_of_one_cell = line.given.has("cell");
  const std::vector<CellId> targets =
      is_of_one_cell ? std::vector{parse_cell("--cell", line.given.text("cell"), torus)}
                     : all_cells(torus);
  const bool is_final = generation > 0 && generation == last_generation(run, given);

  const RankSetup own = prepare_rank([&given] { return given; });
  const config::Experiment experiment = agree(own, 1).experiment;
  const checkpoint::RunCheckpoints files(run, torus.cells());
  Start start;
  if (!line.run.from_seed) start = find_start(files, generation, experiment);
  grid::LightCone cone(torus, setup::schedule_of(experiment),
                       cells_at_end(experiment, targets, generation, is_final), start.generation,
                       generation);
  const std::size_t n_threads =
      std::min<std::size_t>(default_workers(experiment), cone.cells(cone.start()).size());
  const double cpu_s = report::replay_cpu_s(metrics.lines, cone, targets, is_final);
  return {.run = run,
          .experiment = experiment,
          .run_plan = agree(own, n_threads).run_plan,
          .metrics = std::move(metrics),
          .targets = targets,
          .is_of_one_cell = is_of_one_cell,
          .is_final = is_final,
          .cone = std::move(cone),
          .cpu_s = cpu_s,
          .expected = saved_lineage(files),
          .notes = std::move(start.notes)};
}

std::string described(const ReplayPlan& plan) {
  const Generation start = plan.cone.start();
  const std::string from =
      start == 0 ? "from its seed" : fmt::format("from its saved generation {}", start);
  return fmt::format("{} of {} at the end of generation {}, {}\n{}\n", name_of_targets(plan),
                     plan.run.string(), plan.generation(), from, cost_text(plan));
}

std::string seconds_text(double seconds) {
  return fmt::format("{:.3g}", seconds);
}

std::string name_of_targets(const ReplayPlan& plan) {
  if (!plan.is_of_one_cell) return "all cells";
  return "cell " + report::cell_text(setup::torus_of(plan.experiment), plan.targets.front());
}

}  // namespace lipizz::app
