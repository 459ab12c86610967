#include "worker/cell_saver.hpp"

#include <exception>
#include <utility>

namespace lipizz::worker {

CellSaver::CellSaver(Write write, Tell tell)
    : write_(std::move(write)), tell_(std::move(tell)), thread_([this] { run(); }) {}

CellSaver::~CellSaver() {
  const std::scoped_lock lock(mutex_);
  is_ending_ = true;
  changed_.notify_all();
}

void CellSaver::save(std::vector<EncodedCell> cells) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty(); });
  waiting_ = std::move(cells);
  changed_.notify_all();
}

void CellSaver::run() {
  for (;;) {
    std::vector<EncodedCell> cells;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      cells = std::exchange(waiting_, {});
      changed_.notify_all();
    }
    for (const EncodedCell& cell : cells) {
      comm::Saved saved{cell.cell, cell.generation, {}};
      try {
        write_(cell);
      } catch (const std::exception& error) {
        saved.error = error.what();
      }
      tell_(saved);
    }
  }
}

}  // namespace lipizz::worker
