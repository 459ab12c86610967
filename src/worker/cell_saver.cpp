#include "worker/cell_saver.hpp"

#include <exception>

namespace lipizz::worker {

CellSaver::CellSaver(Write write, Tell tell, const Clock& clock)
    : write_(std::move(write)), tell_(std::move(tell)), clock_(clock), thread_([this] { run(); }) {}

CellSaver::~CellSaver() {
  const std::scoped_lock lock(mutex_);
  is_ending_ = true;
  changed_.notify_all();
}

void CellSaver::save(std::vector<HeldState> cells, std::uint32_t incarnation) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty(); });
  add(std::move(cells), incarnation);
}

void CellSaver::flush(std::vector<HeldState> cells, std::uint32_t incarnation,
                      std::function<void()> then) {
  const std::scoped_lock lock(mutex_);
  add(std::move(cells), incarnation);
  then_.push_back(std::move(then));
}

// The caller holds the mutex.
void CellSaver::add(std::vector<HeldState> cells, std::uint32_t incarnation) {
  for (HeldState& cell : cells) {
    const bool is_new = taken_.insert({cell.generation, cell.cell}).second;
    if (is_new) waiting_.push_back({std::move(cell), incarnation});
  }
  changed_.notify_all();
}

void CellSaver::forget_from(Generation generation) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(taken_, [&](const auto& state) { return state.first >= generation; });
}

void CellSaver::forget_before(Generation generation) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(taken_, [&](const auto& state) { return state.first < generation; });
}

void CellSaver::run() {
  for (;;) {
    std::vector<Waiting> cells;
    std::vector<std::function<void()>> then;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_ending_ || !waiting_.empty() || !then_.empty(); });
      if (waiting_.empty() && then_.empty()) return;
      cells = std::exchange(waiting_, {});
      then = std::exchange(then_, {});
      changed_.notify_all();
    }
    const double since_s = clock_.now_s();
    for (const Waiting& waiting : cells) write(waiting, since_s);
    for (const auto& call : then) call();
  }
}

void CellSaver::write(const Waiting& waiting, double since_s) {
  const HeldState& cell = waiting.cell;
  comm::Saved saved{waiting.incarnation, cell.cell, cell.generation, {}};
  try {
    write_(cell);
  } catch (const std::exception& error) {
    saved.error = error.what();
  }
  saved.seconds = clock_.now_s() - since_s;
  tell_(saved);
}

}  // namespace lipizz::worker
