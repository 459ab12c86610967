#include "report/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/text.hpp"

namespace lipizz::report {
namespace {

using Kind = RunEvent::Kind;
using State = Timeline::State;

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kMostRanks = 1 << 20;

std::string rank_text(Rank rank) {
  return "rank " + std::to_string(rank.value);
}

// Takes events one by one.
class Drawing {
 public:
  explicit Drawing(Generation generations) { timeline_.done_s.assign(generations, kNone); }

  void take(const RunEvent& event) {
    advance(event);
    switch (event.kind) {
      case Kind::kBegun:
        return begin(event);
      case Kind::kGeneration:
        if (event.generation > 0 && event.generation <= timeline_.done_s.size()) {
          timeline_.done_s[event.generation - 1] = now_s_;
        }
        return;
      case Kind::kLate:
        turn(event.rank, State::kLate);
        return mark(event, rank_text(event.rank) + " did not answer for " +
                               number_text(std::round(10 * event.silent_s) / 10) + " s");
      case Kind::kBack:
        turn(event.rank, state_of_use(event.rank));
        return mark(event, rank_text(event.rank) + " answered again");
      case Kind::kLost:
        n_cells_.erase(event.rank);
        turn(event.rank, State::kLost);
        return mark(event, rank_text(event.rank) + " was given up");
      case Kind::kReturned:
        turn(event.rank, State::kSpare);
        return mark(event, rank_text(event.rank) + " came back, as a spare");
      case Kind::kAssigned:
        return assign(event);
      case Kind::kMoved:
        return mark(event, event.text);
      case Kind::kSaved:
        ++timeline_.n_saved;
        return;
      case Kind::kStopped:
        return mark(event, "stopped: " + event.text);
      case Kind::kFailed:
        return mark(event, "failed: " + event.text);
      case Kind::kFinished:
        return mark(event, "finished");
      case Kind::kTraining:
      case Kind::kScoring:
        return;
    }
  }

  Timeline take_result() {
    close_all();
    timeline_.end_s = now_s_;
    for (auto& [rank, row] : rows_) timeline_.rows.push_back(std::move(row));
    return std::move(timeline_);
  }

 private:
  // A pause before a start takes no time, nor does a clock that was set back.
  void advance(const RunEvent& event) {
    const bool is_pause = event.kind == Kind::kBegun || timeline_.n_starts == 0;
    if (!is_pause && event.at_s > last_s_) now_s_ += event.at_s - last_s_;
    last_s_ = event.at_s;
  }

  void begin(const RunEvent& event) {
    close_all();
    open_.clear();
    n_cells_.clear();
    has_assigned_ = false;
    ranks_per_cell_ = event.ranks.per_cell;
    const std::size_t n_ranks = std::min(event.ranks.hosts.size(), kMostRanks);
    for (std::size_t i = 1; i < n_ranks; ++i) {
      const Rank rank{static_cast<int>(i)};
      rows_[rank].rank = rank;
      rows_[rank].host = event.ranks.hosts[i];
      turn(rank, State::kSpare);
    }
    if (++timeline_.n_starts > 1) {
      mark(event, "went on from generation " + std::to_string(event.generation));
    }
  }

  void assign(const RunEvent& event) {
    std::map<Rank, std::uint32_t> n_cells;
    for (const Rank rank : event.rank_of_cell) ++n_cells[rank];
    n_cells_ = std::move(n_cells);
    std::vector<Rank> changed;
    for (const auto& [rank, span] : open_) {
      const bool answers = span.state != State::kLost && span.state != State::kLate;
      if (answers) changed.push_back(rank);
    }
    for (const Rank rank : changed) turn(rank, state_of_use(rank));
    if (has_assigned_) {
      mark(event,
           "cells moved: all of them went on from generation " + std::to_string(event.generation));
    }
    has_assigned_ = true;
  }

  [[nodiscard]] State state_of_use(Rank rank) const {
    if (n_cells_.contains(rank)) return State::kWorking;
    return n_cells_.contains(worker_of(rank, ranks_per_cell_)) ? State::kHelping : State::kSpare;
  }

  // Closes what the rank did and opens what it does from now on.
  void turn(Rank rank, State state) {
    close(rank);
    const auto used = n_cells_.find(rank);
    open_[rank] = {state, now_s_, now_s_, used == n_cells_.end() ? 0 : used->second};
  }

  void close(Rank rank) {
    const auto span = open_.find(rank);
    const auto row = rows_.find(rank);
    if (span == open_.end() || row == rows_.end()) return;
    span->second.end_s = now_s_;
    if (span->second.end_s > span->second.begin_s) row->second.spans.push_back(span->second);
  }

  void close_all() {
    for (const auto& [rank, row] : rows_) close(rank);
  }

  void mark(const RunEvent& event, std::string text) {
    const bool is_of_rank = event.kind == Kind::kLate || event.kind == Kind::kBack ||
                            event.kind == Kind::kLost || event.kind == Kind::kReturned;
    timeline_.marks.push_back(
        {event.kind, now_s_, std::move(text), is_of_rank ? event.rank : Rank{-1}});
  }

  Timeline timeline_;
  std::map<Rank, Timeline::Row> rows_;
  std::map<Rank, Timeline::Span> open_;
  std::map<Rank, std::uint32_t> n_cells_;
  bool has_assigned_ = false;
  std::uint32_t ranks_per_cell_ = 1;
  double now_s_ = 0;
  double last_s_ = 0;
};

}  // namespace

Timeline timeline_of(std::span<const RunEvent> events, Generation generations) {
  Drawing drawing(generations);
  for (const RunEvent& event : events) drawing.take(event);
  return drawing.take_result();
}

std::vector<float> seconds_per_generation(const Timeline& timeline) {
  const std::vector<double>& done = timeline.done_s;
  std::vector<float> seconds(done.size(), kNone);
  for (std::size_t i = 1; i < done.size(); ++i) {
    const double took = done[i] - done[i - 1];
    if (took >= 0) seconds[i] = static_cast<float>(took);
  }
  return seconds;
}

}  // namespace lipizz::report
