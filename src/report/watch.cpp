#include "report/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "report/live_display.hpp"
#include "report/live_view.hpp"
#include "report/plain_lines.hpp"

namespace lipizz::report {
namespace {

using Kind = RunEvent::Kind;
using Phase = RunState::Phase;

// While `launch` starts a run again, nobody holds it. Locks of other hosts may not be seen here.
constexpr double kPatience_s = 10;
constexpr double kPatienceElsewhere_s = 60;
constexpr double kPatienceGenerations = 10;

bool goes_on(const RunState& state) {
  return state.phase == Phase::kSettingUp || state.phase == Phase::kTraining;
}

std::string where(const RunState& state) {
  return fmt::format("generation {} of {}", state.generation, state.generations);
}

std::string outcome(const RunState& state, bool has_writer, const Watch& by) {
  const std::string to_go_on = "; to go on: " + by.how_to_go_on;
  switch (state.phase) {
    case Phase::kFinished:
      return "the run has finished";
    case Phase::kStopped:
      return "the run was stopped, " + state.reason + to_go_on;
    case Phase::kFailed:
      return "the run failed: " + state.reason;
    case Phase::kSettingUp:
    case Phase::kTraining:
      break;
  }
  if (has_writer) return "the run goes on: " + where(state);
  return "the run ended without a word after " + where(state) + ": no process holds its folder" +
         to_go_on;
}

double patience_s(const RunFollower& run, const std::string& host) {
  const bool is_here = run.hosts().empty() || run.hosts().front() == host;
  if (is_here) return kPatience_s;
  const double generation_s = seconds_per_generation(run.state()).value_or(0);
  return std::max(kPatienceElsewhere_s, kPatienceGenerations * generation_s);
}

// The lines of a run on the screen.
class Viewer {
 public:
  explicit Viewer(RunFollower& run, const Watch& by) : run_(run), by_(by) {
    if (by.screen.is_terminal()) display_.emplace(by.screen);
  }

  // True when anything was new.
  bool look() {
    const bool is_first = !std::exchange(has_looked_, true);
    const bool is_new = run_.read([&](const RunEvent& event) {
      if (!display_) return tell(event);
      const auto text =
          is_first || !goes_on(run_.state()) ? std::nullopt : news(event, run_.hosts());
      if (text) display_->print(*text);
    });
    if (display_) {
      display_->show(run_.state(), {}, by_.now_s());
    } else {
      by_.screen.write({});
    }
    return is_new;
  }

  void end(const std::string& outcome) {
    if (display_) display_->finish(run_.state(), by_.now_s());
    by_.screen.write(outcome + "\n");
  }

 private:
  void tell(const RunEvent& event) {
    auto line = news(event, run_.hosts());
    if (event.kind == Kind::kGeneration) line = progress_line(run_.state());
    if (line && goes_on(run_.state())) by_.screen.write(*line + "\n");
  }

  RunFollower& run_;
  const Watch& by_;
  std::optional<LiveDisplay> display_;
  bool has_looked_ = false;
};

}  // namespace

bool watch(RunFollower& run, const Watch& by) {
  Viewer viewer(run, by);
  double alive_s = by.now_s();
  for (;;) {
    if (viewer.look() || !by.is_free()) alive_s = by.now_s();
    const bool has_writer = by.now_s() - alive_s < patience_s(run, by.host);
    if (!goes_on(run.state()) || !has_writer) {
      viewer.end(outcome(run.state(), has_writer, by));
      return run.state().phase == Phase::kFinished;
    }
    by.pause();
  }
}

bool look(RunFollower& run, const Watch& by) {
  run.read([](const RunEvent&) {});
  const TerminalStyle style = by.screen.style().value_or(TerminalStyle());
  std::string text;
  for (const std::string& line : live_view(run.state(), {}, by.now_s(), style)) text += line + "\n";
  by.screen.write(text + outcome(run.state(), !by.is_free(), by) + "\n");
  return run.state().phase == Phase::kFinished;
}

}  // namespace lipizz::report
