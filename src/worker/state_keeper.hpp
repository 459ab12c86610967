#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/cell_origin.hpp"
#include "checkpoint/held_folder.hpp"
#include "checkpoint/run_checkpoints.hpp"
#include "coev/island.hpp"
#include "comm/messages.hpp"
#include "worker/cell_copies.hpp"
#include "worker/cell_saver.hpp"

namespace lipizz::worker {

/// Brings the states of an island's cells to where they outlive it, and back: to copies in the
/// memory of this worker, which a run that stops saves; to files, which a later run goes on from;
/// and to copies in the memory of its buddies, which this run goes on from when a worker is lost.
/// Where cells move, it goes on from the first.
class StateKeeper {
 public:
  struct Surroundings {
    std::function<checkpoint::Lineage()> lineage;  // may wait for the judge
    std::function<std::vector<Rank>()> buddies;    // none: nobody else keeps copies
    std::function<void(Rank, const comm::CellCopy&)> send;
    std::function<bool()> gives_up;  // asked while waiting for a copy
  };

  /// The references must outlive it. `n_cells` is the whole grid's, `folder` that of the run.
  StateKeeper(coev::Island& island, const coev::Settings& settings, std::uint32_t n_cells,
              CellCopies& copies, CellSaver& saver, const checkpoint::HeldFolder& folder,
              Surroundings surroundings);

  /// Puts the island where the assignment says, by copies, files or, at 0, its seed alone.
  /// CheckpointError when a file or copy is not what it should be; coev::Interrupted when waiting
  /// is given up.
  void resume(const comm::Assignment& assignment);

  /// At the end of a generation, once: holds every cell here as soon as `tell` has told of the
  /// generation, and hands it to the buddies and, where asked to, to the saver.
  void keep(Generation generation, bool on_disk, const std::function<void()>& tell);

 private:
  [[nodiscard]] coev::CellState state_of_copy(CellId cell, Generation generation);
  [[nodiscard]] std::vector<HeldState> held(Generation generation) const;
  void send(const std::vector<HeldState>& cells) const;
  [[nodiscard]] checkpoint::RunCheckpoints files() const;
  [[nodiscard]] checkpoint::CellOrigin origin(CellId cell, Generation generation) const;

  coev::Island& island_;
  const coev::Settings& settings_;
  std::shared_ptr<const coev::Settings> settings_of_copies_;  // which may outlive the keeper
  std::uint32_t n_cells_;
  CellCopies& copies_;
  CellSaver& saver_;
  const checkpoint::HeldFolder& folder_;
  Surroundings surroundings_;
  std::uint32_t incarnation_ = 0;
  Generation resumed_from_files_ = 0;  // the generation; 0: from copies, or the seed
};

}  // namespace lipizz::worker
