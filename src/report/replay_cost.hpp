#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/ids.hpp"
#include "grid/light_cone.hpp"
#include "report/metrics_line.hpp"

namespace lipizz::report {

/// Replays held against a run's lines of metrics; pure functions.

/// CPU seconds that a replay of `targets` takes on the machine of the run, by what its lines say of
/// the same cells and generations: of all cells of the cone everything but mixtures, of the targets
/// these too, and with `is_final` the last one twice. Cells whose lines are missing count as much
/// as the others on average; NaN where no line is there. `lines` are sorted by generation and cell.
double replay_cpu_s(std::span<const MetricsLine> lines, const grid::LightCone& cone,
                    std::span<const CellId> targets, bool is_final);

/// The first thing that a replayed line tells otherwise than the run's own, as `generator.loss
/// 0.61 in place of 0.62`; empty where there is none. Times are not compared; the score and the
/// mixture only where `is_scored`.
std::string difference(const MetricsLine& told, const MetricsLine& replayed, bool is_scored);

}  // namespace lipizz::report
