#pragma once

#include <filesystem>
#include <memory>
#include <variant>

#include "checkpoint/cell_origin.hpp"
#include "coev/cell_state.hpp"
#include "coev/settings.hpp"
#include "core/bytes.hpp"

namespace lipizz::worker {

/// A cell's whole state at the end of a generation, as a worker keeps it: with networks that share
/// their arrays with those of the cell that trains on, or as the bytes that another worker sent.
/// Any thread may use it.
class CellSnapshot {
 public:
  CellSnapshot(std::shared_ptr<const coev::Settings> settings, coev::CellState state,
               checkpoint::CellOrigin origin);
  /// Those of a cell's file (worker/cell_file.hpp), which are believed.
  explicit CellSnapshot(Bytes bytes);

  /// The bytes of a cell's file.
  [[nodiscard]] Bytes bytes() const;
  /// The same in a file, written whole or not at all. CheckpointError when that fails.
  void write(const std::filesystem::path& path) const;

 private:
  struct OwnCell {
    std::shared_ptr<const coev::Settings> settings;
    coev::CellState state;
    checkpoint::CellOrigin origin;
  };
  std::variant<OwnCell, Bytes> content_;
};

}  // namespace lipizz::worker
