#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "checkpoint/cell_origin.hpp"
#include "checkpoint/run_checkpoints.hpp"
#include "coev/island.hpp"
#include "comm/messages.hpp"
#include "worker/cell_copies.hpp"
#include "worker/cell_saver.hpp"

namespace lipizz::worker {

/// Brings the states of an island's cells to where they outlive it, and back: to files, which a
/// later run goes on from, and to copies in the memory of this worker and its buddies, which this
/// run goes on from when a worker is lost.
class StateKeeper {
 public:
  struct Surroundings {
    std::filesystem::path output_dir;
    checkpoint::Lineage lineage;
    std::vector<Rank> buddies;  // none: there are no copies
    std::function<void(Rank, const comm::CellCopy&)> send;
    std::function<void(const comm::Saved&)> tell;  // called on the saver's thread
    std::function<bool()> gives_up;                // asked while waiting for a copy
  };

  /// The references must outlive it. `n_cells` is the whole grid's.
  StateKeeper(coev::Island& island, const coev::Settings& settings, std::uint32_t n_cells,
              CellCopies& copies, Surroundings surroundings);
  /// Ends when what is handed to it is written.
  ~StateKeeper() = default;

  /// Puts the island where the assignment says, by copies, files or, at 0, its seed alone.
  /// CheckpointError when a file or copy is not what it should be; coev::Interrupted when waiting
  /// is given up.
  void resume(const comm::Assignment& assignment);

  /// At the end of a generation: hands every cell to the buddies and, where asked to, to the saver;
  /// each once.
  void keep(Generation generation, bool on_disk);

 private:
  [[nodiscard]] coev::CellState state_of_copy(CellId cell, Generation generation);
  [[nodiscard]] std::vector<EncodedCell> encoded(Generation generation) const;
  void copy(const std::vector<EncodedCell>& cells);
  void write(const EncodedCell& cell) const;
  [[nodiscard]] checkpoint::CellOrigin origin(CellId cell, Generation generation) const;

  coev::Island& island_;
  const coev::Settings& settings_;
  std::uint32_t n_cells_;
  CellCopies& copies_;
  Surroundings surroundings_;
  checkpoint::RunCheckpoints files_;
  std::uint32_t incarnation_ = 0;
  Generation copied_ = 0;  // the last generation handed to the buddies
  Generation saved_ = 0;   // the last generation handed to the saver
  CellSaver saver_;        // the last member: its thread uses the others
};

}  // namespace lipizz::worker
