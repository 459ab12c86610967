#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/protocol.hpp"
#include "comm/traffic.hpp"
#include "core/bytes.hpp"
#include "core/clock.hpp"

namespace lipizz::comm {

/// The workers that train at first, the shape of LOCAL, and the size of CELL.
struct Groups {
  std::vector<Rank> active;  // WORLD ranks of the workers that host cells, in order of LOCAL rank
  /// Set when each active worker hosts exactly one cell: LOCAL becomes a periodic Cartesian
  /// topology of these dimensions, and `active` is in order of cells.
  struct Torus {
    std::uint32_t rows;
    std::uint32_t columns;
  };
  std::optional<Torus> torus;
  std::uint32_t ranks_per_cell = 1;  // that follow one another in WORLD, from rank 1 on
};

/// The three communicators of Perez et al. and the protocol on them.
///
/// WORLD holds all processes and carries configuration and control. LOCAL is those workers alone
/// that are active at first; their publications travel over it. GLOBAL is the master and all
/// workers, spares included; results travel over it, and publications once a worker has been lost
/// or cells have moved, since every worker may come to host a cell. CELL is the ranks that compute
/// the same cells together, where these are several (docs/adr/0046-a-cell-on-several-ranks.md).
///
/// Until start(), the constructing thread makes every call (set-up, collective). From start() to
/// stop(), a communication thread makes those of the message layer, in turn with threads that send
/// on CELL or wait in progress_until(). After stop(), and after on_failure, nothing is sent any
/// more: what is posted then is dropped.
///
/// Every message bears a code that only processes of this run can make (authentication.hpp). One
/// without it, or that no rank of this run sends (is_admissible()), is dropped and counted. One
/// with it that is malformed counts as a failure of the message layer.
class CommManager {
 public:
  /// Collective over WORLD: the master draws the run's key, and all get it. `clock` measures the
  /// flush of stop().
  CommManager(Communicator world, const Clock& clock);
  ~CommManager();

  [[nodiscard]] Rank rank() const;
  [[nodiscard]] int size() const;
  [[nodiscard]] bool is_master() const { return rank() == kMaster; }

  // Set-up: collective over WORLD, before start().

  /// The master gets one entry per rank, the others nothing.
  std::vector<Bytes> gather_at_master(std::span<const std::byte> mine, std::string_view what);
  /// Everybody gets the master's bytes.
  Bytes broadcast_from_master(Bytes bytes, std::string_view what);
  /// Makes GLOBAL, LOCAL and CELL. Throws CommError on every rank when the groups name nobody, the
  /// master, the same rank twice, a rank that is not there, or a torus of another size; and on
  /// LOCAL's ranks when its topology has another rank at a cell than the groups.
  void form_groups(const Groups& groups);

  // Running.

  struct Handlers {
    // Called by one thread at a time: the communication thread, or one in progress_until().
    /// Called for every control message; must return at once.
    std::function<void(Message)> on_message;
    /// Called for every publication; must return at once.
    std::function<void(const PublicationHeader&, Bytes)> on_publication;
    /// Called for the first message that was dropped because it bears no code of this run, with the
    /// rank that it claims to be from; must return at once.
    std::function<void(Rank)> on_unauthenticated;
    /// The message layer failed (CommError), or a handler threw; called once, on the communication
    /// thread, which then ends. Must not throw.
    std::function<void(std::exception_ptr)> on_failure;
  };
  void start(Handlers handlers);

  /// Any thread. Queues the message and returns. Messages between two ranks keep their order where
  /// they travel on one communicator. A worker may send to itself. Throws like check_sent().
  void send(Rank destination, MessageKind kind, Bytes payload);
  /// Any thread. Queues a publication for all its readers. The payload is not copied; their
  /// messages share it. Throws like check_sent() and encode_publication_head().
  void publish(std::span<const Reader> readers, const std::shared_ptr<const Bytes>& payload);

  /// Any thread but a handler's, with nothing locked that a handler locks. Sends and receives in
  /// the calling thread, handlers and all, until `is_over()` or `max_s` seconds have gone by: for a
  /// thread that has nothing else to do, and so notices a message at once, at the price of a
  /// core's time.
  void progress_until(const std::function<bool()>& is_over, double max_s);

  /// Any thread. Until told otherwise messages are expected, and noticed within 10 ms; those that
  /// are not, within 40, at a third of the price. For a thread that computes meanwhile.
  void expect_messages(bool are_expected);

  /// Any thread. Gives up what is under way to and from a rank that is lost: it would never end.
  /// Messages to it can still be sent.
  void forget(Rank rank);

  /// Waits until everything queued has left this process, but for what is under way on CELL, which
  /// nobody may wait for any more, then ends the communication thread.
  /// `flush_timeout_s` bounds the wait: a receiver that is gone takes nothing. Messages that arrive
  /// meanwhile are still handed over. Not from a handler; a second time, it has no effect. False
  /// after on_failure: what was queued may not have left.
  bool stop(double flush_timeout_s);

  /// Ends the communication thread at once; what is queued is dropped. No effect where it does not
  /// run. For the destructors of what handlers use. Not from a handler.
  void end() noexcept;

  /// Any thread. The traffic that this process has sent so far.
  [[nodiscard]] Traffic traffic() const;

  /// Ends every process of the job at once with this exit code. For when a peer is lost; does not
  /// return under MPI; in the in-process world it throws CommError, as do all ranks' calls from
  /// then on. Any thread.
  [[noreturn]] void abort(int exit_code);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lipizz::comm
