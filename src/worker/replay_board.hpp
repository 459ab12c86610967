#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "worker/exchange.hpp"

namespace lipizz::worker {

/// The publications of a replay, which its threads give each other: in every generation each puts
/// those of its cells, all meet, and each takes what its cells need. Two generations are there at a
/// time, so that nobody overwrites what another still reads.
class ReplayBoard {
 public:
  ReplayBoard(std::uint32_t n_cells, std::size_t n_threads);

  /// By the thread that has the cell.
  void put(CellId cell, Generation generation, Bytes publication);
  /// After the meeting that followed put(), up to the next one but one.
  [[nodiscard]] Publication at(CellId cell, Generation generation) const;

  /// Returns when every thread has called it. coev::Interrupted once one has left.
  void meet();
  /// A thread that fails calls off this and every later meeting.
  void leave();

 private:
  std::array<std::vector<Publication>, 2> publications_;  // by generation modulo 2, then by cell
  const std::size_t n_threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t n_waiting_ = 0;
  std::uint64_t n_meetings_ = 0;
  bool is_called_off_ = false;
};

}  // namespace lipizz::worker
