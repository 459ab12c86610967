#include "report/plain_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/duration_text.hpp"

namespace lipizz::report {
namespace {

using Kind = RunEvent::Kind;

constexpr Generation kLines = 20;

bool is_due(const RunState& state) {
  const Generation step = std::max<Generation>(1, state.generations / kLines);
  return state.generation == 1 || state.generation == state.generations ||
         state.generation % step == 0;
}

std::string name_of(Rank rank, const std::vector<std::string>& hosts) {
  const auto index = static_cast<std::size_t>(rank.value);
  return fmt::format("rank {}", rank.value) + (index < hosts.size() ? " on " + hosts[index] : "");
}

}  // namespace

std::optional<std::string> progress_line(const RunState& state) {
  if (!is_due(state)) return std::nullopt;
  std::string line = fmt::format("generation {}/{}", state.generation, state.generations);
  if (!state.latest || state.latest->generation != state.generation) {
    line += "  no score";
  } else {
    line += fmt::format("  best {} {:.4g} (real samples {:.4g})  cell {}", state.scoring.metric,
                        state.latest->score, state.scoring.floor,
                        place_text(state.torus, state.latest->cell));
  }
  const auto left_s = seconds_left(state);
  if (left_s && state.generation < state.generations) {
    line += "  " + duration_text(*left_s) + " left";
  }
  return line;
}

std::optional<std::string> news(const RunEvent& event, const std::vector<std::string>& hosts) {
  const std::string who = name_of(event.rank, hosts);
  switch (event.kind) {
    case Kind::kLate:
      return fmt::format("{} is late: silent for {:.1f} s", who, event.silent_s);
    case Kind::kBack:
      return who + " answers again";
    case Kind::kLost:
      return who + " is lost";
    case Kind::kReturned:
      return who + " is back as a spare";
    case Kind::kStopped:
      return "stopped: " + event.text;
    case Kind::kFailed:
      return "failed: " + event.text;
    case Kind::kFinished:
      return "finished";
    default:
      return std::nullopt;
  }
}

}  // namespace lipizz::report
