#pragma once

#include <filesystem>

#include "checkpoint/cell_origin.hpp"
#include "coev/cell_state.hpp"
#include "coev/settings.hpp"

namespace lipizz::worker {

/// A cell's whole state as a safetensors file; docs/formats.md lists its tensors.
///
/// `origin` names the state's cell and generation. CheckpointError when the file cannot be written;
/// then nothing is left of it.
void write_cell(const std::filesystem::path& path, const coev::Settings& settings,
                const coev::CellState& state, const checkpoint::CellOrigin& origin);

/// CheckpointError when the file is missing, damaged, of another origin or of other networks.
coev::CellState read_cell(const std::filesystem::path& path, const coev::Settings& settings,
                          const checkpoint::CellOrigin& origin);

}  // namespace lipizz::worker
