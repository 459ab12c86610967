#pragma once

#include <vector>

#include "coev/cell_state.hpp"
#include "coev/profile.hpp"
#include "coev/report.hpp"
#include "coev/settings.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

/// A hosted cell: its state, and what it has to tell about the generation in progress.
struct Cell : CellState {
  CellReport report;
  Profile profile;
};

/// A cell's seeded start, with a mixture of itself alone.
Cell make_cell(const Settings& settings, CellId id);

/// Empties report and profile for another generation.
void begin_report(Cell& cell, Generation generation);
/// The report with mixture and profile filled in.
CellReport finished_report(const Cell& cell);

/// What neighbours get: the cell's id and generation, then its generator and discriminator. Moments
/// go along when selection may copy a neighbour.
Bytes write_publication(const Cell& cell, const Settings& settings);

}  // namespace lipizz::coev
