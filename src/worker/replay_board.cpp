#include "worker/replay_board.hpp"

#include <memory>
#include <utility>

#include "coev/interrupted.hpp"
#include "core/check.hpp"

namespace lipizz::worker {

ReplayBoard::ReplayBoard(std::uint32_t n_cells, std::size_t n_threads) : n_threads_(n_threads) {
  publications_.fill(std::vector<Publication>(n_cells));
}

void ReplayBoard::put(CellId cell, Generation generation, Bytes publication) {
  publications_[generation % 2][cell.value] = std::make_shared<const Bytes>(std::move(publication));
}

Publication ReplayBoard::at(CellId cell, Generation generation) const {
  const Publication& publication = publications_[generation % 2][cell.value];
  LIPIZZ_ASSERT(publication != nullptr);
  return publication;
}

void ReplayBoard::meet() {
  std::unique_lock lock(mutex_);
  const std::uint64_t meeting = n_meetings_;
  if (++n_waiting_ == n_threads_) {
    n_waiting_ = 0;
    ++n_meetings_;
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return n_meetings_ != meeting || is_called_off_; });
  if (is_called_off_) throw coev::Interrupted();
}

void ReplayBoard::leave() {
  const std::scoped_lock lock(mutex_);
  is_called_off_ = true;
  changed_.notify_all();
}

}  // namespace lipizz::worker
