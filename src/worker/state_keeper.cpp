#include "worker/state_keeper.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "checkpoint/atomic_file.hpp"
#include "checkpoint/safetensors.hpp"
#include "worker/cell_file.hpp"

namespace lipizz::worker {

StateKeeper::StateKeeper(coev::Island& island, const coev::Settings& settings,
                         std::uint32_t n_cells, CellCopies& copies, Surroundings surroundings)
    : island_(island),
      settings_(settings),
      n_cells_(n_cells),
      copies_(copies),
      surroundings_(std::move(surroundings)),
      files_(surroundings_.output_dir, n_cells),
      saver_([this](const EncodedCell& cell) { write(cell); }, surroundings_.tell) {}

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
          read_cell(files_.file(start, cell), settings_, n_cells_, origin(cell, start)));
    }
  }
  island_.resume(std::move(states));
  if (is_on_disk) saved_ = start;
}

coev::CellState StateKeeper::state_of_copy(CellId cell, Generation generation) {
  const auto bytes = copies_.wait_for(cell, generation, surroundings_.gives_up);
  if (!bytes) throw coev::Interrupted();
  const std::string place = fmt::format("copy of cell {} at {}", cell.value, generation);
  return decode_cell(checkpoint::decode_tensors(*bytes, place), place, settings_, n_cells_,
                     origin(cell, generation));
}

void StateKeeper::keep(Generation generation, bool on_disk) {
  const bool must_copy = !surroundings_.buddies.empty() && copied_ != generation;
  const bool must_write = on_disk && saved_ != generation;
  if (!must_copy && !must_write) return;
  std::vector<EncodedCell> cells = encoded(generation);
  if (must_copy) {
    copy(cells);
    copied_ = generation;
  }
  if (must_write) {
    saver_.save(std::move(cells));
    saved_ = generation;
  }
}

std::vector<EncodedCell> StateKeeper::encoded(Generation generation) const {
  std::vector<EncodedCell> cells;
  for (const CellId cell : island_.hosted()) {
    cells.push_back({cell, generation,
                     std::make_shared<const Bytes>(
                         encode_cell(settings_, island_.state(cell), origin(cell, generation)))});
  }
  return cells;
}

void StateKeeper::copy(const std::vector<EncodedCell>& cells) {
  for (const EncodedCell& cell : cells) {
    copies_.keep(incarnation_, cell);
    const comm::CellCopy message{{incarnation_, cell.cell, cell.generation}, *cell.bytes};
    for (const Rank buddy : surroundings_.buddies) surroundings_.send(buddy, message);
  }
}

void StateKeeper::write(const EncodedCell& cell) const {
  files_.prepare(cell.generation);
  checkpoint::write_atomically(files_.file(cell.generation, cell.cell), *cell.bytes);
}

checkpoint::CellOrigin StateKeeper::origin(CellId cell, Generation generation) const {
  return {.cell = cell, .generation = generation, .lineage = surroundings_.lineage};
}

}  // namespace lipizz::worker
