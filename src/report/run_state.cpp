#include "report/run_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lipizz::report {
namespace {

using Kind = RunEvent::Kind;
using Phase = RunState::Phase;

constexpr std::size_t kPaceGenerations = 20;

// Whatever it had come to beyond the generation that it goes on from will come again.
void begin(const RunEvent& event, RunState& state) {
  RunState begun;
  begun.torus = event.torus;
  begun.generations = event.generations;
  begun.generation = event.generation;
  begun.workers.n = (std::max<std::size_t>(event.ranks.hosts.size(), 1) - 1) / event.ranks.per_cell;
  begun.times.begun_s = event.at_s;
  begun.cells.resize(event.torus.cells());
  if (state.torus == event.torus) {
    begun.improvements = std::move(state.improvements);
    std::erase_if(begun.improvements,
                  [&](const RunState::Best& best) { return best.generation > event.generation; });
    begun.scoring = state.scoring;
    begun.saved = std::min(state.saved, event.generation);
  }
  state = std::move(begun);
}

void pass(const RunEvent& event, RunState& state) {
  state.generation = event.generation;
  state.times.passed.push_back({event.generation, event.at_s});
  if (state.times.passed.size() > kPaceGenerations + 1) state.times.passed.pop_front();
  if (std::isnan(event.score)) return;
  state.latest = RunState::Best{event.generation, event.cell, event.score};
  if (state.improvements.empty() || event.score < state.improvements.back().score) {
    state.improvements.push_back(*state.latest);
  }
}

void end(Phase phase, const RunEvent& event, RunState& state) {
  state.phase = phase;
  state.reason = event.text;
  state.workers.silent_since_s.clear();
}

}  // namespace

void take(const RunEvent& event, RunState& state) {
  switch (event.kind) {
    case Kind::kBegun:
      begin(event, state);
      break;
    case Kind::kTraining:
      state.phase = Phase::kTraining;
      break;
    case Kind::kScoring:
      state.scoring.metric = event.metric;
      state.scoring.floor = event.floor;
      break;
    case Kind::kGeneration:
      pass(event, state);
      break;
    case Kind::kLate:
      state.workers.silent_since_s[event.rank] = event.at_s - event.silent_s;
      break;
    case Kind::kBack:
      state.workers.silent_since_s.erase(event.rank);
      break;
    case Kind::kLost:
      state.workers.silent_since_s.erase(event.rank);
      state.workers.lost.insert(event.rank);
      break;
    case Kind::kReturned:
      state.workers.lost.erase(event.rank);
      break;
    case Kind::kAssigned:
      state.rank_of_cell = event.rank_of_cell;
      break;
    case Kind::kMoved:
      break;  // an assignment follows
    case Kind::kSaved:
      state.saved = event.generation;
      break;
    case Kind::kStopped:
      end(Phase::kStopped, event, state);
      break;
    case Kind::kFailed:
      end(Phase::kFailed, event, state);
      break;
    case Kind::kFinished:
      end(Phase::kFinished, event, state);
      break;
  }
  state.times.last_s = event.at_s;
}

void take(CellId cell, Generation generation, double score, RunState& state) {
  if (cell.value >= state.cells.size()) return;
  RunState::Cell& known = state.cells[cell.value];
  known.generation = generation;
  if (!std::isnan(score)) known.score = score;
}

std::optional<double> seconds_per_generation(const RunState& state) {
  if (state.times.passed.size() < 2) return std::nullopt;
  const RunState::Times::Passed& first = state.times.passed.front();
  const RunState::Times::Passed& last = state.times.passed.back();
  if (last.generation <= first.generation) return std::nullopt;
  return std::max(0.0, last.at_s - first.at_s) / (last.generation - first.generation);
}

std::optional<double> seconds_left(const RunState& state) {
  const auto each_s = seconds_per_generation(state);
  if (!each_s || state.generation > state.generations) return std::nullopt;
  return *each_s * (state.generations - state.generation);
}

std::string score_text(const std::string& metric, double score) {
  return std::isnan(score) ? "no score" : fmt::format("{} {:.4g}", metric, score);
}

std::string place_text(const grid::Torus& torus, CellId cell) {
  return fmt::format("({}, {})", torus.row(cell), torus.column(cell));
}

}  // namespace lipizz::report
