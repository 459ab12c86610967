#pragma once

#include <vector>

#include "coev/cell_state.hpp"
#include "coev/report.hpp"
#include "coev/routine_times.hpp"
#include "coev/settings.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

/// A hosted cell (Schmiedlechner et al. 2018): its state, and what it has to tell about the
/// generation in progress.
struct Cell : CellState {
  CellReport report;
  RoutineTimes times;
};

/// A cell's seeded start, with a mixture of itself alone. Departure: Schmiedlechner et al. 2018
/// initialise before they seed, so that no two runs start alike.
Cell make_cell(const Settings& settings, CellId id);

/// Empties report and times for another generation.
void begin_report(Cell& cell, Generation generation);
/// The report with mixture and times filled in.
CellReport finished_report(const Cell& cell);

}  // namespace lipizz::coev
