#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "worker/cell_snapshot.hpp"

namespace lipizz::worker {

/// A cell's whole state at the end of a generation.
struct HeldState {
  CellId cell;
  Generation generation = 0;
  std::shared_ptr<const CellSnapshot> snapshot;
};

/// The states that a worker keeps in memory: those of its own cells, so that a run that stops can
/// save the last generation that all cells have finished; and those whose buddy it is, so that a
/// lost worker's cells can go on elsewhere, and all others from the same generation. Any thread may
/// call it.
class CellCopies {
 public:
  /// Bytes that a worker's copies take, which may lie on disk for its own cells.
  struct Taken {
    std::size_t in_memory = 0;
    std::size_t offloaded = 0;
  };
  /// Two generations are kept, the earlier one until all workers have finished the later one: of
  /// its own cells, where there are other workers (the later one shares its arrays with the cells),
  /// and of as many for each worker whose buddy it is. A state that waits for the disk is one of
  /// these, unless the disk is slower than training.
  static Taken bytes(const coev::PairBytes& pair, std::size_t n_hosted, bool has_other_workers,
                     std::size_t n_buddies);

  /// False, and nothing is kept, when a later incarnation trains here or has sent the same already.
  bool keep(std::uint32_t incarnation, HeldState copy);
  /// Keeps this worker's own cells, after `tell` has told all that there is to tell of them: so
  /// whatever own() returns has been told, and what has been told is there. `tell` waits for no
  /// other rank, whose messages would need what is locked here. Cells that are more
  /// than `max_generations` ahead of the slowest are not kept until that follows.
  void hold(std::uint32_t incarnation, const std::vector<HeldState>& cells,
            std::size_t max_generations, const std::function<void()>& tell);

  /// The states that a worker holds of its own cells, the oldest first.
  struct Own {
    std::uint32_t incarnation = 0;  // that trains here
    std::vector<HeldState> cells;
  };
  [[nodiscard]] Own own() const;

  /// From now on `incarnation` trains, from the end of generation `start`, these cells here: what
  /// was made of later generations before it is dropped.
  void begin(std::uint32_t incarnation, Generation start, std::vector<CellId> own);

  /// Nobody will go back beyond this generation.
  void drop_before(Generation generation);

  /// Null when there is none.
  [[nodiscard]] std::shared_ptr<const CellSnapshot> find(CellId cell, Generation generation) const;

  /// Waits until there is one. Null once `gives_up` says so, which is asked again after every
  /// reconsider().
  std::shared_ptr<const CellSnapshot> wait_for(CellId cell, Generation generation,
                                               const std::function<bool()>& gives_up);
  void reconsider();

 private:
  struct Kept {
    std::uint32_t incarnation;
    std::shared_ptr<const CellSnapshot> snapshot;
  };

  bool add(std::uint32_t incarnation, HeldState copy);
  [[nodiscard]] std::size_t n_generations_of(CellId cell) const;
  [[nodiscard]] bool is_own(CellId cell) const;
  [[nodiscard]] std::shared_ptr<const CellSnapshot> look_up(CellId cell,
                                                            Generation generation) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t incarnation_ = 0;
  std::vector<CellId> own_;
  std::map<std::pair<Generation, CellId>, Kept> kept_;
};

}  // namespace lipizz::worker
