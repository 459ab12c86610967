#include "report/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "report/duration_text.hpp"
#include "report/grid_picture.hpp"

namespace lipizz::report {
namespace {

using Phase = RunState::Phase;
using Tone = Piece::Tone;

constexpr std::uint32_t kLongestBar = 40;
constexpr std::uint32_t kShortestBar = 5;
constexpr std::uint32_t kLeastPicture = 2;  // lines: one of the grid and its legend
constexpr std::size_t kMostNamed = 3;       // workers

// The share of all generations of all cells; those of a cell count where it is ahead of the others.
double share_done(const RunState& state) {
  if (state.generations == 0 || state.cells.empty()) return 0;
  double done = 0;
  for (const RunState::Cell& cell : state.cells)
    done += std::max(cell.generation, state.generation);
  return std::min(1.0, done / state.generations / static_cast<double>(state.cells.size()));
}

std::string bar(double share, std::uint32_t width, const TerminalStyle& style) {
  const auto n_done = static_cast<std::uint32_t>(share * width);
  const std::string done = style.has_unicode ? "━" : "#";
  const std::string open = style.has_unicode ? "─" : "-";
  std::string text;
  for (std::uint32_t i = 0; i < width; ++i) text += i < n_done ? done : open;
  return text;
}

std::string progress_line(const RunState& state, const TerminalStyle& style) {
  const Piece where{fmt::format("generation {} of {}", state.generation, state.generations),
                    Tone::kStrong};
  const std::string percent = fmt::format("{:.0f} %", std::floor(100 * share_done(state)));
  const std::uint32_t taken = visible_width(where.text) + visible_width(percent) + 4;
  const std::uint32_t room = style.columns > taken ? style.columns - taken : 0;
  if (room < kShortestBar) return line_of({where, {percent}}, style);
  return line_of({where, {bar(share_done(state), std::min(room, kLongestBar), style)}, {percent}},
                 style);
}

std::string score_line(const RunState& state, const std::string& note, const TerminalStyle& style) {
  const std::string floor = std::isnan(state.scoring.floor)
                                ? ""
                                : fmt::format("real samples {:.4g}", state.scoring.floor);
  if (state.improvements.empty()) return line_of({{"no score yet"}, {note}, {floor}}, style);
  const RunState::Best& best = state.improvements.back();
  const bool is_latest = state.latest && state.latest->generation == best.generation;
  return line_of(
      {{"best " + score_text(state.scoring.metric, best.score), Tone::kStrong},
       {fmt::format("generation {}, cell {}", best.generation, place_text(state.torus, best.cell))},
       {is_latest || !state.latest ? "" : fmt::format("now {:.4g}", state.latest->score)},
       {floor}},
      style);
}

Piece outcome_of(const RunState& state) {
  switch (state.phase) {
    case Phase::kSettingUp:
      return {"opening the data"};
    case Phase::kTraining:
      return {""};
    case Phase::kStopped:
      return {"stopped: " + state.reason, Tone::kWarning};
    case Phase::kFailed:
      return {"failed: " + state.reason, Tone::kError};
    case Phase::kFinished:
      return {"finished", Tone::kStrong};
  }
  return {""};
}

std::string pace_line(const RunState& state, double now_s, const TerminalStyle& style) {
  const bool goes_on = state.phase == Phase::kSettingUp || state.phase == Phase::kTraining;
  const auto each_s = seconds_per_generation(state);
  const auto left_s = goes_on && state.generation < state.generations ? seconds_left(state)
                                                                      : std::optional<double>();
  const double until_s = goes_on ? now_s : state.times.last_s;
  return line_of({outcome_of(state),
                  {each_s ? fmt::format("{:.3g} s per generation", *each_s) : ""},
                  {left_s ? duration_text(*left_s) + " left" : ""},
                  {duration_text(std::max(0.0, until_s - state.times.begun_s)) + " so far"},
                  {state.saved > 0 ? fmt::format("saved: {}", state.saved) : ""}},
                 style);
}

// The first few of them by number.
std::string ranks_text(const std::vector<Rank>& ranks) {
  std::vector<std::string> words;
  for (const Rank rank : ranks) {
    if (words.size() == kMostNamed) break;
    words.push_back(std::to_string(rank.value));
  }
  const std::string more =
      ranks.size() > kMostNamed ? fmt::format(" and {} more", ranks.size() - kMostNamed) : "";
  return (ranks.size() == 1 ? "rank " : "ranks ") + join(words) + more;
}

std::string workers_line(const RunState& state, double now_s, const TerminalStyle& style) {
  std::vector<Piece> pieces{{counted(state.workers.n, "worker")}};
  if (!state.workers.silent_since_s.empty()) {
    std::vector<Rank> silent;
    double since_s = now_s;
    for (const auto& [rank, from_s] : state.workers.silent_since_s) {
      silent.push_back(rank);
      since_s = std::min(since_s, from_s);
    }
    pieces.push_back(
        {ranks_text(silent) + " silent for " + duration_text(now_s - since_s), Tone::kWarning});
  }
  if (!state.workers.lost.empty()) {
    pieces.push_back({ranks_text({state.workers.lost.begin(), state.workers.lost.end()}) + " lost",
                      Tone::kError});
  }
  if (pieces.size() == 1 && state.phase == Phase::kTraining) pieces.push_back({"all answer"});
  return line_of(pieces, style);
}

// The best of what is shown bears a star, the cells of a silent worker a question mark.
std::vector<PicturedCell> pictured(const RunState& state) {
  std::vector<PicturedCell> cells;
  for (const RunState::Cell& cell : state.cells) cells.push_back({.score = cell.score});
  const auto best = std::ranges::min_element(cells, [](const auto& a, const auto& b) {
    return a.score < b.score || (std::isnan(b.score) && !std::isnan(a.score));
  });
  if (best != cells.end() && !std::isnan(best->score)) best->mark = '*';
  for (std::size_t i = 0; i < std::min(cells.size(), state.rank_of_cell.size()); ++i) {
    if (state.workers.silent_since_s.contains(state.rank_of_cell[i])) cells[i].mark = '?';
  }
  return cells;
}

void append_picture(const RunState& state, const TerminalStyle& style,
                    std::vector<std::string>& lines) {
  if (lines.size() + kLeastPicture > style.rows || state.cells.empty()) return;
  const std::vector<PicturedCell> cells = pictured(state);
  TerminalStyle room = style;
  room.rows = style.rows - static_cast<std::uint32_t>(lines.size()) - 1;
  const GridPicture picture = grid_picture(cells, state.torus, room);
  append(lines, picture.lines);
  const std::string last = legend(cells, picture, style);
  if (!last.empty()) lines.push_back(last);
}

}  // namespace

std::vector<std::string> live_view(const RunState& state, const std::string& note, double now_s,
                                   const TerminalStyle& style) {
  std::vector<std::string> lines{progress_line(state, style), score_line(state, note, style),
                                 pace_line(state, now_s, style), workers_line(state, now_s, style)};
  append_picture(state, style, lines);
  if (lines.size() > style.rows) lines.resize(style.rows);
  return lines;
}

}  // namespace lipizz::report
