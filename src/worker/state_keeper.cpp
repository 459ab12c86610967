#include "worker/state_keeper.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include "checkpoint/safetensors.hpp"
#include "worker/cell_file.hpp"

namespace lipizz::worker {
namespace {

// Asynchronously the slowest cell may be any number of generations behind.
constexpr std::size_t kMaxHeld = 4;

}  // namespace

StateKeeper::StateKeeper(coev::Island& island, const coev::Settings& settings,
                         std::uint32_t n_cells, CellCopies& copies, CellSaver& saver,
                         const checkpoint::HeldFolder& folder, Surroundings surroundings)
    : island_(island),
      settings_(settings),
      settings_of_copies_(std::make_shared<const coev::Settings>(settings)),
      n_cells_(n_cells),
      copies_(copies),
      saver_(saver),
      folder_(folder),
      surroundings_(std::move(surroundings)) {}

void StateKeeper::resume(const comm::Assignment& assignment) {
  incarnation_ = assignment.incarnation;
  const Generation start = assignment.start;
  if (start == 0) return;
  bool is_on_disk = true;
  std::vector<coev::CellState> states;
  for (const CellId cell : island_.hosted()) {
    if (assignment.source_of_cell[cell.value] != comm::Assignment::kNobody) {
      states.push_back(state_of_copy(cell, start));
      is_on_disk = false;
    } else {
      states.push_back(
          read_cell(files().file(start, cell), settings_, n_cells_, origin(cell, start)));
    }
  }
  island_.resume(std::move(states));
  if (is_on_disk) resumed_from_files_ = start;
}

coev::CellState StateKeeper::state_of_copy(CellId cell, Generation generation) {
  const auto copy = copies_.wait_for(cell, generation, surroundings_.gives_up);
  if (!copy) throw coev::Interrupted();
  const std::string place = fmt::format("copy of cell {} at {}", cell.value, generation);
  return decode_cell(checkpoint::decode_tensors(copy->bytes(), place), place, settings_, n_cells_,
                     origin(cell, generation));
}

void StateKeeper::keep(Generation generation, bool on_disk, const std::function<void()>& tell) {
  std::vector<HeldState> cells = held(generation);
  const bool is_asynchronous = settings_.max_staleness.has_value();
  copies_.hold(incarnation_, cells,
               is_asynchronous ? kMaxHeld : std::numeric_limits<std::size_t>::max(), tell);
  send(cells);
  if (on_disk && generation != resumed_from_files_) saver_.save(std::move(cells), incarnation_);
}

std::vector<HeldState> StateKeeper::held(Generation generation) const {
  std::vector<HeldState> cells;
  for (const CellId cell : island_.hosted()) {
    cells.push_back({cell, generation,
                     std::make_shared<const CellSnapshot>(settings_of_copies_, island_.state(cell),
                                                          origin(cell, generation))});
  }
  return cells;
}

void StateKeeper::send(const std::vector<HeldState>& cells) const {
  const std::vector<Rank> buddies = surroundings_.buddies();
  if (buddies.empty()) return;
  for (const HeldState& cell : cells) {
    const comm::CellCopy message{{incarnation_, cell.cell, cell.generation},
                                 cell.snapshot->bytes()};
    for (const Rank buddy : buddies) surroundings_.send(buddy, message);
  }
}

checkpoint::RunCheckpoints StateKeeper::files() const {
  return {folder_.present(), n_cells_};
}

checkpoint::CellOrigin StateKeeper::origin(CellId cell, Generation generation) const {
  return {.cell = cell, .generation = generation, .lineage = surroundings_.lineage()};
}

}  // namespace lipizz::worker
