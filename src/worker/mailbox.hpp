#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "comm/messages.hpp"

namespace lipizz::worker {

/// Holds what has reached a worker from outside and waits for its training thread. Handlers of
/// messages put things in; the training thread takes them out, and sleeps where it waits.
///
/// A stop ends every wait; a failure of the message layer is thrown by every wait. An assignment
/// ends what is done by the one before.
class Mailbox {
 public:
  /// The last one counts, and forgets tasks, samples and the directive of the one before.
  void assign(comm::Assignment assignment);
  /// The last one of each kind counts.
  void post(comm::SharedResource resource);
  void post(comm::Task task);
  void post(comm::CellSamples samples);
  /// The last one counts.
  void set(comm::Directive directive);
  /// All cells have told of the generations up to this one.
  void settle(Generation told);
  /// A worker without cells that is lost; the next assignment names it as well.
  void lose(Rank rank);
  /// The first one counts.
  void stop(comm::Stop stop);
  void fail(std::exception_ptr failure);

  /// False once a stop, a failure or another assignment has come.
  [[nodiscard]] bool keep_going() const;

  /// The last one that settle() was told of, never beyond what is trained again.
  [[nodiscard]] Generation settled() const;
  /// The workers that were lost without another assignment.
  [[nodiscard]] std::vector<std::int32_t> lost() const;
  /// Says whether any directive so far wants all cells saved at the end of `generation`: where
  /// cells are far apart, more directives have come before a slow one is there.
  [[nodiscard]] bool must_save(Generation generation) const;

  /// The next assignment; nothing when the master says stop.
  std::optional<comm::Assignment> wait_for_assignment();
  /// Nothing when what is assigned is over.
  std::optional<Bytes> wait_for_resource(comm::SharedResource::Kind kind);
  /// A task that is there already, of a generation up to this one: after a loss the master may ask
  /// for what is to be trained again.
  std::optional<comm::Task> poll_task(Generation done);
  /// The next task; nothing when what is assigned is over.
  std::optional<comm::Task> wait_for_task();
  /// The samples of that many cells, ascending; fewer when what is assigned is over.
  std::vector<comm::CellSamples> wait_for_samples(std::size_t n_cells);
  comm::Stop wait_for_stop();

 private:
  template <class Condition>
  std::unique_lock<std::mutex> wait_until(Condition condition);
  [[nodiscard]] bool is_over() const { return stop_ || assignment_; }
  std::optional<comm::Task> take_task(Generation done);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<comm::Assignment> assignment_;  // that nobody works on yet
  comm::Directive directive_;
  std::set<Generation> to_save_;
  Generation settled_ = 0;
  std::vector<std::int32_t> lost_;
  std::optional<comm::Stop> stop_;
  std::exception_ptr failure_;
  std::deque<comm::Task> tasks_;
  std::map<comm::SharedResource::Kind, Bytes> resources_;
  std::map<CellId, comm::CellSamples> cell_samples_;
};

}  // namespace lipizz::worker
