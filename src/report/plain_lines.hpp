#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/run_event.hpp"
#include "report/run_state.hpp"

namespace lipizz::report {

/// The lines that a run tells where they cannot be drawn over, each without its line break.

/// The newest generation, about twenty times in a run: `generation 2/11  best frechet 4 (real
/// samples 0.25)  cell (0, 1)  18 s left`. Nothing where the line is not due.
std::optional<std::string> progress_line(const RunState& state);

/// An event that people should hear of, workers' troubles and the end, in words; nothing of others.
/// `hosts`: of the run's ranks, as far as they are known.
std::optional<std::string> news(const RunEvent& event, const std::vector<std::string>& hosts);

}  // namespace lipizz::report
