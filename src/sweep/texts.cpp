#include "sweep/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/text.hpp"
#include "report/duration_text.hpp"
#include "setup/settings.hpp"
#include "sweep/figures.hpp"
#include "sweep/tables.hpp"
#include "sweep/work_left.hpp"

namespace lipizz::sweep {
namespace {

constexpr std::array kStates{RunState::kFinished, RunState::kStopped, RunState::kAtRung,
                             RunState::kRunning,  RunState::kStale,   RunState::kWaiting,
                             RunState::kFailed};

std::string head(const Plan& plan, const SweepFolder& folder) {
  return plan.sweep().name + " in " + folder.root.string() + ": " +
         counted(plan.runs().size(), "run");
}

std::string holder_text(const RunProgress& run) {
  if (!run.holder || !run.holder->process) return "unknown";
  const ProcessIdentity& process = *run.holder->process;
  const std::string who = process.host + " " + std::to_string(process.pid);
  return run.holder->job.empty() ? who : who + ", " + run.holder->job;
}

// `01-31 12:00` of 2026-01-31T12:00:00Z
std::string short_time(const std::string& time) {
  return time.size() < 16 ? time : time.substr(5, 5) + " " + time.substr(11, 5);
}

std::string held_text(const Plan& plan, const SweepFolder& folder, const Progress& progress) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < progress.runs.size(); ++i) {
    const RunProgress& run = progress.runs[i];
    if (run.state != RunState::kRunning && run.state != RunState::kStale) continue;
    const grid::Torus torus = setup::torus_of(plan.experiment(plan.runs()[i]));
    const Generation reached = run.folder.empty() ? 0 : generation_reached(run.folder, torus);
    rows.push_back({name_of(plan, plan.runs()[i]), name_of(run.state),
                    fmt::format("{}/{}", reached, run.target),
                    short_time(last_start(folder.log(plan.runs()[i].id))), holder_text(run)});
  }
  if (rows.empty()) return {};
  return "\n" + text_table({"run", "state", "generation", "since (UTC)", "by"}, rows);
}

std::string failed_text(const Plan& plan, const SweepFolder& folder, const Progress& progress) {
  std::string text;
  for (std::size_t i = 0; i < progress.runs.size(); ++i) {
    const RunProgress& run = progress.runs[i];
    if (run.state != RunState::kFailed) continue;
    text += fmt::format("\nfailed: {}, code {}\n  {}\n  {}\n", name_of(plan, plan.runs()[i]),
                        run.end->exit_code, run.end->text, folder.log(plan.runs()[i].id).string());
  }
  if (!text.empty()) text += "`lipizz sweep run --retry` tries them again.\n";
  return text;
}

}  // namespace

std::string name_of(const Plan& plan, const PlannedRun& run) {
  const std::string& label = plan.combinations()[run.combination].label;
  return label + (label.empty() ? "seed=" : " seed=") + std::to_string(run.seed);
}

std::string counts_text(const Progress& progress) {
  std::vector<std::string> parts;
  for (const RunState state : kStates) {
    const std::size_t n = progress.count(state);
    if (n > 0) parts.push_back(std::to_string(n) + " " + name_of(state));
  }
  return join(parts);
}

std::string plan_text(const Plan& plan, const SweepFolder& folder, const Progress& progress,
                      std::size_t n_most) {
  std::vector<std::size_t> n_done(plan.combinations().size(), 0);
  std::vector<std::size_t> n_all(plan.combinations().size(), 0);
  for (std::size_t i = 0; i < plan.runs().size(); ++i) {
    const RunState state = progress.runs[i].state;
    const bool is_done = state == RunState::kFinished || state == RunState::kStopped;
    ++n_all[plan.runs()[i].combination];
    if (is_done) ++n_done[plan.runs()[i].combination];
  }
  std::vector<std::string> header = plan.short_names();
  append(header, {"generations", "runs", "finished"});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < plan.combinations().size() && i < n_most; ++i) {
    rows.push_back(plan.combinations()[i].values);
    append(rows.back(), {std::to_string(plan.generations(i)), std::to_string(n_all[i]),
                         std::to_string(n_done[i])});
  }
  std::string text =
      head(plan, folder) + ", " + counted(plan.combinations().size(), "combination") + " with " +
      counted(plan.sweep().seeds.size(), "seed") + " each\n\n" + text_table(header, rows);
  if (plan.combinations().size() > n_most) {
    text += fmt::format("... and {} more\n", plan.combinations().size() - n_most);
  }
  if (plan.n_repeated() > 0) {
    text += counted(plan.n_repeated(), "combination") +
            " left out: the same experiment as another one\n";
  }
  return text + "\n" + counts_text(progress) + "\n" + rungs_text(plan, progress);
}

std::string status_text(const Plan& plan, const SweepFolder& folder, const Progress& progress) {
  return head(plan, folder) + "\n" + counts_text(progress) + "\n" + rungs_text(plan, progress) +
         held_text(plan, folder, progress) + failed_text(plan, folder, progress);
}

std::string rungs_text(const Plan& plan, const Progress& progress) {
  std::string text;
  for (const Rung& rung : progress.halving.rungs) {
    text += rung.is_decided
                ? fmt::format("rung at generation {}: {} of {} combinations go on\n",
                              rung.generation, rung.n_kept, rung.n_before)
                : fmt::format(
                      "rung at generation {}: not decided, {} of {} combinations will go "
                      "on\n",
                      rung.generation, rung.n_kept, rung.n_before);
  }
  const Savings savings = savings_of(plan, progress);
  if (savings.generations == 0) return text;
  return text + fmt::format("stopping early saved {} of {} generations ({:.0f} %), about {}\n",
                            savings.generations, savings.generations_of_all,
                            100.0 * static_cast<double>(savings.generations) /
                                static_cast<double>(savings.generations_of_all),
                            report::duration_text(savings.seconds));
}

}  // namespace lipizz::sweep
