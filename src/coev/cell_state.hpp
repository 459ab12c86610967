#pragma once

#include "coev/genome.hpp"
#include "coev/history.hpp"
#include "coev/mixture.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

/// The whole state of a cell at the end of a generation (Perez et al. 2020 describe no checkpoints;
/// departure from Schmiedlechner et al. 2018, whose checkpoints have neither moments nor mixture).
/// Whoever has it, and what its neighbours published in that generation, can continue the cell to
/// the same bits: random numbers need no state.
struct CellState {
  CellId id;
  Generation generation = 0;  // the one that made the centre
  Pair centre;
  Mixture mixture;
  History history;

  bool operator==(const CellState&) const = default;
};

}  // namespace lipizz::coev
