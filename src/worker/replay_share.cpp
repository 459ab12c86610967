#include "worker/replay_share.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "checkpoint/held_folder.hpp"
#include "checkpoint/run_checkpoints.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "setup/settings.hpp"
#include "worker/cell_file.hpp"
#include "worker/sample_writer.hpp"

namespace lipizz::worker {
namespace {

double seconds_of(const coev::CellReport& report) {
  double seconds = 0;
  for (const auto& [name, value] : report.profile) seconds += value;
  return seconds;
}

void expect_data(const data::Dataset& dataset, const std::optional<checkpoint::Lineage>& expected) {
  if (!expected || dataset.content_hash() == expected->dataset) return;
  throw CheckpointError("the run was trained on data of hash " + to_hex(expected->dataset) +
                        ", and these have " + to_hex(dataset.content_hash()) +
                        "; replay it with the same data");
}

}  // namespace

ReplayShare::ReplayShare(const ReplayTask& task, std::vector<CellId> cells,
                         Surroundings surroundings)
    : task_(task),
      cells_(std::move(cells)),
      surroundings_(std::move(surroundings)),
      context_(task.run_plan, surroundings_.peers.self, task.data_dir),
      settings_(setup::settings_of(context_.experiment())) {}

std::vector<ReplayedCell> ReplayShare::run() {
  begin();
  publish(task_.cone.start());
  for (Generation generation = task_.cone.start() + 1; generation <= task_.cone.last();
       ++generation) {
    evolve(generation);
  }
  return write();
}

void ReplayShare::begin() {
  open_resources(resources_, surroundings_.peers, context_.experiment(), context_.device(),
                 cache_folders(task_.run), surroundings_.log);
  expect_data(*resources_->dataset, task_.expected);
  island_.emplace(settings_, setup::torus_of(context_.experiment()), cells_, *resources_->dataset,
                  *resources_->scorer, context_.device());
  // In a run the worker's first cell pays for the scorer; here it counts for none.
  if (!own(task_.targets).empty()) static_cast<void>(resources_->scorer->judge_hash());
  if (task_.cone.start() > 0) island_->resume(saved_states());
  island_->score_only(task_.targets);
}

void ReplayShare::evolve(Generation generation) {
  surroundings_.board.meet();
  island_->narrow(own(task_.cone.cells(generation)));
  receive(generation, generation - 1);
  island_->evolve(
      generation, [](CellId) {}, surroundings_.keep_going);
  for (const coev::CellReport& report : island_->evaluate(generation)) {
    cpu_s_ += seconds_of(report);
    surroundings_.tell(report);
  }
  const bool is_read = generation < task_.cone.last() || task_.is_final;
  if (is_read) publish(generation);
}

void ReplayShare::publish(Generation generation) {
  for (const CellId cell : island_->hosted()) {
    surroundings_.board.put(cell, generation, island_->publication(cell));
  }
}

void ReplayShare::receive(Generation generation, Generation published) {
  for (const CellId cell : island_->hosted()) {
    for (const CellId neighbour : island_->needs(cell, generation)) {
      island_->receive(cell, neighbour, *surroundings_.board.at(neighbour, published));
    }
  }
}

// A run saves its last generation before it finishes with it.
std::vector<ReplayedCell> ReplayShare::write() {
  const Generation last = task_.cone.last();
  const checkpoint::RunCheckpoints files(task_.output,
                                         setup::torus_of(context_.experiment()).cells());
  const std::vector<CellId> targets = own(task_.targets);
  files.prepare(last);
  for (const CellId cell : targets) {
    write_cell(files.file(last, cell), settings_, island_->state(cell), origin(cell, last));
  }
  if (task_.is_final) finish();
  std::vector<ReplayedCell> replayed;
  for (const CellId cell : targets) {
    const bool writes_mixture = task_.writes_mixture && holds_mixture(cell);
    if (writes_mixture) write_mixture(cell);
    replayed.push_back({cell, island_->fingerprint(cell), writes_mixture});
  }
  return replayed;
}

void ReplayShare::finish() {
  surroundings_.board.meet();
  island_->narrow(own(task_.targets));
  receive(task_.cone.last(), task_.cone.last());
  const double start_s = thread_cpu_s();
  island_->weigh_final();
  cpu_s_ += thread_cpu_s() - start_s;
}

void ReplayShare::write_mixture(CellId cell) {
  const checkpoint::HeldFolder folder(task_.output);
  SampleWriter writer(*island_, *resources_->dataset, context_.experiment(), folder);
  writer.write_mixture(cell, task_.cone.last());
  writer.write_best(cell);
}

std::vector<coev::CellState> ReplayShare::saved_states() const {
  const std::uint32_t n_cells = setup::torus_of(context_.experiment()).cells();
  const checkpoint::RunCheckpoints files(task_.run, n_cells);
  const Generation start = task_.cone.start();
  std::vector<coev::CellState> states;
  for (const CellId cell : cells_) {
    states.push_back(read_cell(files.file(start, cell), settings_, n_cells, origin(cell, start)));
  }
  return states;
}

checkpoint::CellOrigin ReplayShare::origin(CellId cell, Generation generation) const {
  return {.cell = cell,
          .generation = generation,
          .lineage = resources_->lineage(context_.experiment(), task_.run_plan.numerics)};
}

std::vector<CellId> ReplayShare::own(std::span<const CellId> cells) const {
  std::vector<CellId> found;
  std::ranges::copy_if(cells_, std::back_inserter(found),
                       [&](CellId cell) { return std::ranges::binary_search(cells, cell); });
  return found;
}

bool ReplayShare::holds_mixture(CellId cell) const {
  return task_.is_final || task_.cone.last() > task_.cone.start() ||
         island_->state(cell).mixture.cells.size() == 1;
}

}  // namespace lipizz::worker
