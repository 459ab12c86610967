#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "comm/messages.hpp"

namespace lipizz::worker {

/// What has reached a worker from outside and waits for its training thread. The communication
/// thread puts things in; the training thread takes them out, and sleeps where it waits.
///
/// A stop ends every wait; a failure of the message layer is thrown by every wait.
class Mailbox {
 public:
  void start();
  void post(comm::Task task);
  void post(comm::Tiles tiles);
  /// The last one counts.
  void set(comm::Course course);
  /// The first one counts.
  void stop(comm::Stop stop);
  void fail(std::exception_ptr failure);

  /// False once a stop or a failure has come.
  [[nodiscard]] bool keep_going() const;

  [[nodiscard]] comm::Course course() const;
  /// Whether the course says to hold at the end of `generation`.
  [[nodiscard]] bool must_hold(Generation generation) const;
  /// Waits while it does; false when the master says stop.
  bool wait_while_held(Generation generation);

  /// True when the master says start, false when it says stop before. Workers begin with collective
  /// calls: a stop that comes right behind the start must not keep one of them from joining in.
  bool wait_for_start();
  /// A task that is there already.
  std::optional<comm::Task> poll_task();
  /// The next task; nothing when the master says stop.
  std::optional<comm::Task> wait_for_task();
  /// That many cells' samples, in the order of their arrival; fewer when the master says stop.
  std::vector<comm::Tiles> wait_for_tiles(std::size_t n_cells);
  comm::Stop wait_for_stop();

 private:
  template <class Condition>
  std::unique_lock<std::mutex> wait_until(Condition condition);
  std::optional<comm::Task> take_task();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool started_ = false;
  comm::Course course_;
  std::optional<comm::Stop> stop_;
  std::exception_ptr failure_;
  std::deque<comm::Task> tasks_;
  std::vector<comm::Tiles> tiles_;
};

}  // namespace lipizz::worker
