#pragma once

#include <span>
#include <vector>

#include "checkpoint/cell_origin.hpp"
#include "checkpoint/run_checkpoints.hpp"
#include "checkpoint/safetensors.hpp"

namespace lipizz::checkpoint::testing {

/// A cell's file with one tensor, in the place of the cell and generation that `origin` names.
inline void save_cell(const RunCheckpoints& run, const CellOrigin& origin) {
  const std::vector<float> numbers{1.0f, 2.0f, 3.0f};
  const TensorView tensor{"numbers", DType::kF32, {3}, std::as_bytes(std::span(numbers))};
  run.prepare(origin.generation);
  write_tensors(run.file(origin.generation, origin.cell), {&tensor, 1}, to_metadata(origin));
}

/// Every cell of that generation.
inline void save_generation(const RunCheckpoints& run, Generation generation, std::uint32_t n_cells,
                            CellOrigin origin) {
  origin.generation = generation;
  for (origin.cell = {0}; origin.cell.value < n_cells; ++origin.cell.value) save_cell(run, origin);
}

}  // namespace lipizz::checkpoint::testing
