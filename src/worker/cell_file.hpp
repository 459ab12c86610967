#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "checkpoint/cell_origin.hpp"
#include "checkpoint/safetensors.hpp"
#include "coev/cell_state.hpp"
#include "coev/settings.hpp"

namespace lipizz::worker {

/// A cell's whole state as the bytes of a safetensors file, on a disk or on its way to a buddy;
/// docs/formats.md lists its tensors. `origin` names the state's cell and generation.
Bytes encode_cell(const coev::Settings& settings, const coev::CellState& state,
                  const checkpoint::CellOrigin& origin);

/// The same in a file, written whole or not at all, without holding its bytes. CheckpointError when
/// that fails.
void write_cell(const std::filesystem::path& path, const coev::Settings& settings,
                const coev::CellState& state, const checkpoint::CellOrigin& origin);

/// A state of one of a grid's `n_cells` cells. CheckpointError with `place` when the tensors are of
/// another origin or of other networks, or hold numbers that the algorithm never writes
/// (worker/cell_checks.hpp).
coev::CellState decode_cell(const checkpoint::TensorFile& file, const std::string& place,
                            const coev::Settings& settings, std::uint32_t n_cells,
                            const checkpoint::CellOrigin& origin);

/// The same for a file; CheckpointError also when it is missing or damaged.
coev::CellState read_cell(const std::filesystem::path& path, const coev::Settings& settings,
                          std::uint32_t n_cells, const checkpoint::CellOrigin& origin);

}  // namespace lipizz::worker
