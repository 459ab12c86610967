#include "sweep/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "config/json.hpp"
#include "core/atomic_file.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"

namespace lipizz::sweep {
namespace {

namespace fs = std::filesystem;

constexpr double kLook_s = 5;        // between two looks at what others do
constexpr int kEndedBySignal = 128;  // exit codes of shells
constexpr int kDone = static_cast<int>(ExitCode::kDone);
constexpr int kResumable = static_cast<int>(ExitCode::kResumable);

// The job is told to people who look for whom to ask; empty outside of one.
std::string job_of_this_process() {
  const char* const job = std::getenv("SLURM_JOB_ID");
  return job == nullptr ? std::string() : std::string("Slurm job ") + job;
}

bool has_begun(const fs::path& run) {
  std::error_code none;
  return fs::is_regular_file(run / "config.json", none);
}

}  // namespace

Runner::Runner(const Plan& plan, const SweepFolder& folder, std::size_t n_places, Others others,
               Surroundings surroundings)
    : plan_(plan),
      folder_(folder),
      others_(others),
      surroundings_(std::move(surroundings)),
      claimer_(folder.claims(), this_process(), job_of_this_process()),
      reader_(plan, folder),
      running_(n_places),
      last_beat_s_(surroundings_.clock.now_s()),
      last_look_s_(last_beat_s_) {
  make_folder(folder_.runs());
  make_folder(folder_.config("x").parent_path());
}

int Runner::run() {
  try {
    return train();
  } catch (const std::exception& error) {
    if (is_busy()) surroundings_.tell(std::string(error.what()) + "; what trains is saved first");
    save_children();
    throw;
  }
}

int Runner::train() {
  for (;;) {
    beat_when_due();
    if (surroundings_.is_asked_to_stop()) stop();
    look_after_children();
    if (starts_more_) start_what_can_be();
    if (!is_busy() && !(starts_more_ && waits_for_others())) return exit_code();
    surroundings_.pause();
  }
}

void Runner::beat_when_due() {
  if (surroundings_.clock.now_s() - last_beat_s_ < kBeat_s) return;
  claimer_.beat();
  last_beat_s_ = surroundings_.clock.now_s();
}

// Whoever destroys a child that still trains kills it, and what it has not saved is lost.
void Runner::save_children() {
  stop();
  while (is_busy()) {
    static_cast<void>(surroundings_.is_asked_to_stop());  // a second SIGINT still ends the process
    try {
      look_after_children();
      beat_when_due();
    } catch (...) {  // the error that came first is the one to be told
    }
    surroundings_.pause();
  }
}

void Runner::look() {
  claimer_.beat();
  progress_ = reader_.look(claimer_.now());
  candidates_.clear();
  for (std::size_t i = 0; i < progress_.runs.size(); ++i) {
    const RunState state = progress_.runs[i].state;
    if (state == RunState::kWaiting || state == RunState::kStale) candidates_.push_back(i);
  }
  has_changed_ = has_lost_race_ = false;
  last_look_s_ = surroundings_.clock.now_s();
}

bool Runner::is_look_due() const {
  return has_changed_ || surroundings_.clock.now_s() - last_look_s_ >= kLook_s;
}

bool Runner::is_busy() const {
  return std::ranges::any_of(running_, [](const auto& running) { return running != nullptr; });
}

bool Runner::waits_for_others() const {
  if (has_changed_ || has_lost_race_ || !candidates_.empty()) return true;
  if (progress_.count(RunState::kRunning) == 0) return false;
  const auto& rungs = progress_.halving.rungs;
  const bool is_at_rung = !rungs.empty() && !rungs.back().is_decided;
  return is_at_rung || others_ == Others::kWaitFor;
}

void Runner::start_what_can_be() {
  for (std::size_t place = 0; place < running_.size(); ++place) {
    if (running_[place]) continue;
    if (candidates_.empty() && is_look_due()) look();
    const auto index = claim_next();
    if (!index) return;
    const RunProgress& progress = progress_.runs[*index];
    const Start start = start_of(*index, place);
    note_start(folder_.log(plan_.runs()[*index].id), std::chrono::system_clock::now(),
               "lipizz " + join(start.arguments, " "));
    running_[place] = std::make_unique<Running>(Running{.index = *index,
                                                        .claim = progress.claim.n + 1,
                                                        .place = place,
                                                        .target = progress.target,
                                                        .since_s = surroundings_.clock.now_s(),
                                                        .child = surroundings_.start(start)});
  }
}

// Whoever was slower goes on elsewhere in the list, where the quicker one is not next.
std::optional<std::size_t> Runner::claim_next() {
  while (!candidates_.empty()) {
    const std::size_t index = candidates_.front();
    candidates_.pop_front();
    const std::string& id = plan_.runs()[index].id;
    if (claimer_.claim(id, progress_.runs[index].claim.n + 1)) return index;
    has_lost_race_ = true;
    if (candidates_.empty()) break;
    Hasher elsewhere(static_cast<std::uint64_t>(this_process().pid));
    elsewhere.text(id);
    const auto n = static_cast<std::ptrdiff_t>(elsewhere.digest() % candidates_.size());
    std::rotate(candidates_.begin(), candidates_.begin() + n, candidates_.end());
  }
  return std::nullopt;
}

Start Runner::start_of(std::size_t index, std::size_t place) const {
  const PlannedRun& run = plan_.runs()[index];
  const RunProgress& progress = progress_.runs[index];
  const fs::path folder = progress.folder.empty() ? folder_.runs() / run.folder : progress.folder;
  Start start{.arguments = {"train", "--quiet"}, .log = folder_.log(run.id), .place = place};
  if (has_begun(folder)) {
    append(start.arguments, {"--resume", folder.string()});
  } else {
    const fs::path config = folder_.config(run.id);
    write_atomically(config, config::to_json(plan_.experiment(run)));
    append(start.arguments, {"--config", config.string(), "--output", folder.string()});
  }
  append(start.arguments, {"--generations", std::to_string(progress.target)});
  return start;
}

void Runner::look_after_children() {
  for (auto& running : running_) {
    const auto exit_code = running ? running->child->poll() : std::nullopt;
    if (!exit_code) continue;
    const std::unique_ptr<Running> ended = std::move(running);  // its place is free in any case
    has_changed_ = true;
    finish(*ended, *exit_code);
  }
}

void Runner::finish(Running& running, int exit_code) {
  const PlannedRun& run = plan_.runs()[running.index];
  const std::string& label = plan_.combinations()[run.combination].label;
  const std::string name = label + (label.empty() ? "" : " ") + "seed=" + std::to_string(run.seed);
  const ClaimEnd end = end_of_child(running, exit_code);
  if (!claimer_.still_has(run.id, running.claim)) {
    surroundings_.tell(name + ": another process has taken it over, as this one gave no sign");
    return;
  }
  claimer_.end(run.id, running.claim, end);
  const double seconds = surroundings_.clock.now_s() - running.since_s;
  if (end.exit_code == kDone) {
    surroundings_.tell(fmt::format("{}: {} ({:.1f} s)", name, end.text, seconds));
  } else if (end.exit_code == kResumable) {
    surroundings_.tell(name + ": saved, and left early");
    starts_more_ = false;  // there is no time left for others either
  } else {
    surroundings_.tell(fmt::format("{}: failed with code {}: {}", name, end.exit_code, end.text));
  }
}

// A program that ends well without a result would be started for ever.
ClaimEnd Runner::end_of_child(const Running& running, int exit_code) {
  const PlannedRun& run = plan_.runs()[running.index];
  const std::string words = last_words(folder_.log(run.id));
  if (was_asked_to_stop_ && exit_code > kEndedBySignal) {
    return {.exit_code = kResumable, .text = "ended before it could save"};
  }
  if (exit_code != kDone) {
    return {.exit_code = exit_code, .text = words.empty() ? "it said nothing" : words};
  }
  const auto folders = run_folders(folder_);
  const auto found = folders.find(run.id);
  const auto results =
      found == folders.end() ? std::vector<report::FinishedRun>() : results_of(found->second);
  const report::FinishedRun* const result = enough(plan_, run, results, running.target);
  if (result == nullptr) {
    return {
        .exit_code = static_cast<int>(ExitCode::kInternal),
        .text = "it ended well, without a result of generation " + std::to_string(running.target)};
  }
  return {.exit_code = kDone,
          .text = fmt::format("{} {:.6g} at generation {}", result->score.metric,
                              result->score.value, result->generations)};
}

void Runner::stop() {
  if (was_asked_to_stop_) return;  // a second signal would end them unsaved
  was_asked_to_stop_ = true;
  for (const auto& running : running_) {
    if (running) running->child->stop();
  }
  starts_more_ = false;
  candidates_.clear();
}

int Runner::exit_code() {
  look();
  int code = kDone;
  for (const RunProgress& run : progress_.runs) {
    if (run.state == RunState::kFailed) return run.end->exit_code;
    const bool is_others = run.state == RunState::kRunning && others_ == Others::kLeaveTo;
    const bool is_done = run.state == RunState::kFinished || run.state == RunState::kStopped;
    if (!is_done && !is_others) code = kResumable;
  }
  return code;
}

}  // namespace lipizz::sweep
