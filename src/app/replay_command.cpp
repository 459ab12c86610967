#include "app/replay_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "app/replay_plan.hpp"
#include "checkpoint/checked_line.hpp"
#include "checkpoint/run_checkpoints.hpp"
#include "checkpoint/safetensors.hpp"
#include "checkpoint/source_file.hpp"
#include "config/json.hpp"
#include "core/atomic_file.hpp"
#include "core/clock.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "report/lineage.hpp"
#include "report/lineage_text.hpp"
#include "report/replay_cost.hpp"
#include "report/result_details.hpp"
#include "setup/settings.hpp"
#include "telemetry/log.hpp"
#include "worker/metrics_line.hpp"
#include "worker/replay.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

constexpr int kDone = static_cast<int>(ExitCode::kDone);

std::string cell_name(const ReplayPlan& plan, CellId cell) {
  return "cell " + report::cell_text(setup::torus_of(plan.experiment), cell);
}

[[noreturn]] void fail_otherwise(const ReplayPlan& plan, CellId cell, Generation generation,
                                 const std::string& file, const std::string& what) {
  throw CheckpointError(fmt::format(
      "{}: {} of generation {} came out otherwise: {}; the run was made by another build of "
      "lipizz, with other data, or the file was changed",
      (plan.run / file).string(), cell_name(plan, cell), generation, what));
}

// Holds what is replayed against the run's lines of metrics.
class MetricsCheck {
 public:
  explicit MetricsCheck(const ReplayPlan& plan)
      : plan_(plan), torus_(setup::torus_of(plan.experiment)) {}

  void take(const coev::CellReport& report) {
    ++n_;
    const report::MetricsLine* const told =
        report::find_line(plan_.metrics.lines, {report.generation, report.cell});
    if (told == nullptr) return;
    // As the run's own was written: to six digits.
    const auto replayed = report::parse_metrics_line(
        checkpoint::checked_line(worker::metrics_line(report, torus_, 0)), torus_);
    const bool is_target = std::ranges::binary_search(plan_.targets, report.cell);
    const std::string found =
        replayed ? report::difference(*told, *replayed, is_target) : "it makes no line of metrics";
    if (!found.empty()) {
      fail_otherwise(plan_, report.cell, report.generation, "metrics.jsonl", found);
    }
    ++n_alike_;
  }

  [[nodiscard]] std::uint64_t n() const { return n_; }
  [[nodiscard]] std::uint64_t n_alike() const { return n_alike_; }

 private:
  const ReplayPlan& plan_;
  grid::Torus torus_;
  std::uint64_t n_ = 0;
  std::uint64_t n_alike_ = 0;
};

// A folder that is removed again unless what belongs into it has been written.
class OutputFolder {
 public:
  explicit OutputFolder(fs::path path) : path_(std::move(path)) {
    std::error_code none;
    if (fs::exists(fs::symlink_status(path_, none))) {
      throw ConfigError("replay: " + path_.string() +
                        " exists; remove it, or name another folder with --output");
    }
    make_folders(path_);
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() {
    std::error_code none;
    if (!is_kept_) fs::remove_all(path_, none);
  }

  void keep() { is_kept_ = true; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  bool is_kept_ = false;
};

fs::path output_folder(const ReplayPlan& plan, const CommandLine& line) {
  if (!line.run.output_dir.empty()) return line.run.output_dir;
  std::string name = fmt::format("generation-{:06}", plan.generation());
  if (plan.is_of_one_cell) {
    const grid::Torus torus = setup::torus_of(plan.experiment);
    const CellId cell = plan.targets.front();
    name += fmt::format("-cell-{}-{}", torus.row(cell), torus.column(cell));
  }
  return plan.run / "replays" / name;
}

Bytes content_of(const fs::path& file) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  return checkpoint::SourceFile(file).first(kMost);
}

// A file that is missing or damaged tells nothing; it may be what the replay is to make good.
bool is_whole(const fs::path& file) {
  try {
    static_cast<void>(checkpoint::read_tensors(file));
    return true;
  } catch (const CheckpointError&) {
    return false;
  }
}

// True where the run has saved that generation itself.
bool expect_saved_alike(const ReplayPlan& plan, const fs::path& output) {
  const std::uint32_t n_cells = setup::torus_of(plan.experiment).cells();
  const checkpoint::RunCheckpoints own(plan.run, n_cells);
  const checkpoint::RunCheckpoints replayed(output, n_cells);
  bool is_saved = true;
  for (const CellId cell : plan.targets) {
    const fs::path file = own.file(plan.generation(), cell);
    if (!is_whole(file)) {
      is_saved = false;
    } else if (content_of(file) != content_of(replayed.file(plan.generation(), cell))) {
      fail_otherwise(plan, cell, plan.generation(), fs::relative(file, plan.run).string(),
                     "other bytes");
    }
  }
  return is_saved;
}

// True where the run has finished with that generation.
bool expect_result_alike(const ReplayPlan& plan, const worker::Replayed& replayed) {
  const auto result = report::read_result_details(plan.run);
  if (!plan.is_final || !result) return false;
  for (const worker::ReplayedCell& cell : replayed.cells) {
    if (cell.cell.value >= result->cells.size()) return false;
    const std::string& told = result->cells[cell.cell.value].fingerprint;
    if (told != to_hex(cell.fingerprint)) {
      fail_otherwise(plan, cell.cell, plan.generation(), "result.json",
                     "fingerprint " + to_hex(cell.fingerprint) + " in place of " + told);
    }
  }
  return true;
}

// With all cells, and what has led to them, the folder is that of a run that was stopped there.
void make_resumable(const ReplayPlan& plan, const fs::path& output) {
  const grid::Torus torus = setup::torus_of(plan.experiment);
  write_atomically(output / "config.json", content_of(plan.run / "config.json"));
  const Bytes all = content_of(plan.run / "metrics.jsonl");
  auto end = all.begin();
  for (std::uint64_t n = std::uint64_t{plan.generation()} * torus.cells(); n > 0; --n) {
    end = std::find(end, all.end(), std::byte{'\n'});
    if (end != all.end()) ++end;
  }
  write_atomically(output / "metrics.jsonl", std::span(all.begin(), end));
  checkpoint::RunCheckpoints(output, torus.cells())
      .note_saved(plan.generation(), plan.run_plan.experiment);
}

worker::ReplayTask task_of(const ReplayPlan& plan, const fs::path& output) {
  return {.run_plan = plan.run_plan,
          .data_dir = plan.experiment.data.dir,
          .cone = plan.cone,
          .targets = plan.targets,
          .is_final = plan.is_final,
          .run = plan.run,
          .output = output,
          .writes_mixture = plan.is_of_one_cell,
          .expected = plan.expected};
}

// Tells whatever is worth a word meanwhile: a judge that has to be trained, above all.
telemetry::Log log_to_standard_error() {
  return {kMaster, [](const telemetry::LogLine& line) {
            if (line.level == telemetry::Level::kInfo) return;
            std::fprintf(stderr, "lipizz: %s\n", line.text.c_str());
          }};
}

std::string seconds_told(const MetricsCheck& check, const worker::Replayed& replayed,
                         double all_s) {
  return fmt::format("computed {} in {} s of CPU time, {} s in all\n",
                     counted(check.n(), "cell-generation"), seconds_text(replayed.cpu_s),
                     seconds_text(all_s));
}

std::string what_it_agrees_with(const MetricsCheck& check, bool is_saved, bool is_in_result) {
  std::vector<std::string> parts;
  if (check.n() > 0) {
    parts.push_back(fmt::format("{} of {} lines of metrics", check.n_alike(), check.n()));
  }
  if (is_saved) parts.emplace_back("saved cells");
  if (is_in_result) parts.emplace_back("fingerprints of the result");
  return "as the run told: " + (parts.empty() ? "nothing is there to compare" : join(parts)) + "\n";
}

std::string what_is_there(const ReplayPlan& plan, const worker::Replayed& replayed,
                          const fs::path& output) {
  std::string text;
  for (const worker::ReplayedCell& cell : replayed.cells) {
    text +=
        fmt::format("{}: fingerprint {}\n", cell_name(plan, cell.cell), to_hex(cell.fingerprint));
    if (plan.is_of_one_cell && !cell.has_mixture) {
      text +=
          "without mixture/ and samples/: that saved generation lacks its other generators; "
          "--from-seed computes them\n";
    }
  }
  text += "written to " + output.string() + "\n";
  if (!plan.is_of_one_cell && plan.generation() > 0) {
    text += "lipizz --resume " + output.string() + " goes on from there\n";
  }
  return text;
}

}  // namespace

int replay_command(const CommandLine& line, std::ostream& out) {
  const ReplayPlan plan = plan_replay(line);
  for (const std::string& note : plan.notes) out << "cannot be used: " << note << "\n";
  out << described(plan) << std::flush;
  if (line.run.dry_run) return kDone;
  OutputFolder output(output_folder(plan, line));
  const SystemClock clock;
  const double start_s = clock.now_s();
  MetricsCheck check(plan);
  const worker::Replayed replayed =
      worker::replay(task_of(plan, output.path()), log_to_standard_error(),
                     [&](const coev::CellReport& report) { check.take(report); });
  const bool is_saved = expect_saved_alike(plan, output.path());
  const bool is_in_result = expect_result_alike(plan, replayed);
  if (!plan.is_of_one_cell && plan.generation() > 0) make_resumable(plan, output.path());
  output.keep();
  out << seconds_told(check, replayed, clock.now_s() - start_s)
      << what_it_agrees_with(check, is_saved, is_in_result)
      << what_is_there(plan, replayed, output.path());
  if (!(out << std::flush)) throw ConfigError("cannot write to the standard output");
  return kDone;
}

}  // namespace lipizz::app
