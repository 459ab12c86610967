#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "grid/schedule.hpp"
#include "grid/torus.hpp"

namespace lipizz::grid {

/// The part of a run that some cells at the end of a generation depend on: a cell needs its own
/// state and its neighbours' publications of the generation before, these theirs, and so on back to
/// a start whose states are known. With each generation back it grows by a ring of neighbours,
/// until it covers the torus.
class LightCone {
 public:
  /// That of the cells `targets` (not empty, each once) at the end of generation `last` >= `start`;
  /// the states at the end of `start` are known.
  LightCone(const Torus& torus, const Schedule& schedule, std::vector<CellId> targets,
            Generation start, Generation last);

  [[nodiscard]] Generation start() const { return start_; }
  [[nodiscard]] Generation last() const {
    return start_ + static_cast<Generation>(cells_.size()) - 1;
  }
  /// The cells whose centres of that generation have to be made, ascending; of start(): the ones
  /// whose states have to be known.
  [[nodiscard]] std::span<const CellId> cells(Generation generation) const {
    return cells_[generation - start_];
  }
  /// Cell-generations that have to be computed: the sum over all generations behind start().
  [[nodiscard]] std::uint64_t n_cell_generations() const;

 private:
  Generation start_;
  std::vector<std::vector<CellId>> cells_;  // by generation, from start_
};

/// The cells themselves with all their neighbours, ascending.
std::vector<CellId> with_neighbours(const Torus& torus, const Neighbourhood& neighbourhood,
                                    std::span<const CellId> cells);

}  // namespace lipizz::grid
