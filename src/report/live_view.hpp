#pragma once

#include <string>
#include <vector>

#include "report/run_state.hpp"
#include "report/terminal_text.hpp"

namespace lipizz::report {

/// A run at a glance, as lines no wider and no more than the style has room for: how far it is, the
/// best score so far, the pace and the time left, workers that do not answer, and the grid as
/// coloured cells. Where there is too little room, the grid goes first, and then the lower lines.
///
///     generation 12 of 100  [####                            ]  12 %
///     best frechet 52.31 in generation 12, cell (1, 0)  real samples 0.84
///     1.32 s per generation  2 min left
///     4 workers  rank 3 silent for 6 s
///
/// `now_s`: seconds since 1970. `note` is shown while there is no score yet.
std::vector<std::string> live_view(const RunState& state, const std::string& note, double now_s,
                                   const TerminalStyle& style);

}  // namespace lipizz::report
