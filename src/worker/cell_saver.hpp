#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "comm/messages.hpp"
#include "core/clock.hpp"
#include "worker/cell_copies.hpp"

namespace lipizz::worker {

/// Writes cells' files on a thread of its own, while training goes on; each state once.
class CellSaver {
 public:
  /// Writes one file; throws when it cannot.
  using Write = std::function<void(const HeldState&)>;
  /// Hears of every file that is written or failed.
  using Tell = std::function<void(const comm::Saved&)>;
  /// Both are called on the saver's thread. The clock must outlive it.
  CellSaver(Write write, Tell tell, const Clock& clock);
  /// Writes what is still waiting.
  ~CellSaver();

  /// Waits while the cells of the call before have not been written: a slow disk slows training
  /// down rather than fill the memory.
  /// `incarnation`: what to tell with them.
  void save(std::vector<HeldState> cells, std::uint32_t incarnation);
  /// Returns at once. When these cells and all that was handed over before are written, or cannot
  /// be, `then` is called on the saver's thread.
  void flush(std::vector<HeldState> cells, std::uint32_t incarnation, std::function<void()> then);

  /// This generation and later ones will be handed over again, and are to be saved and told of
  /// again: nobody may have heard of it the first time.
  void forget_from(Generation generation);
  /// Nothing of earlier generations than this one will be handed over any more.
  void forget_before(Generation generation);

 private:
  struct Waiting {
    HeldState cell;
    std::uint32_t incarnation;
  };

  void add(std::vector<HeldState> cells, std::uint32_t incarnation);
  void run();
  void write(const Waiting& waiting, double since_s);

  Write write_;
  Tell tell_;
  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
  std::vector<std::function<void()>> then_;
  std::set<std::pair<Generation, CellId>> taken_;
  bool is_ending_ = false;
  std::jthread thread_;  // the last member: it uses all others
};

}  // namespace lipizz::worker
