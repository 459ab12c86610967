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
#include "core/bytes.hpp"
#include "core/clock.hpp"

namespace lipizz::comm {

/// Who trains, and the shape of LOCAL.
struct Groups {
  std::vector<Rank> active;  // WORLD ranks of the workers that host cells, in order of LOCAL rank
  /// Set when each active worker hosts exactly one cell: LOCAL becomes a periodic Cartesian
  /// topology of these extents and LOCAL rank = cell index.
  struct Torus {
    std::uint32_t rows;
    std::uint32_t columns;
  };
  std::optional<Torus> torus;
};

/// Messages and bytes that this process sent to others point to point while running, by purpose. A
/// publication counts as one message, its bytes include its header. Set-up and collectives are not
/// in it.
struct Traffic {
  struct Count {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
  };
  Count exchange;   // publications
  Count control;    // everything else that is not a heartbeat
  Count heartbeat;  // pings and status answers
};

/// The three communicators of Perez et al. and the protocol on them.
///
/// WORLD holds all processes and carries configuration and control. GLOBAL is the master and all
/// workers; publications travel on a duplicate of it, since every worker may come to host a cell.
/// LOCAL is those alone that are active at first.
///
/// Until start(), the constructing thread makes every call (set-up, collective). From start() to
/// stop(), one communication thread owns every call of the message layer; other threads post work
/// to it, and waiting sleeps. After stop(), and after on_failure, nothing is sent any more: what is
/// posted then is dropped, and collectives throw CommError.
///
/// A message that is malformed, too large (protocol.hpp) or of no known kind counts as a failure of
/// the message layer.
class CommManager {
 public:
  /// Collective over WORLD. `clock` measures the flush of stop().
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
  /// Makes GLOBAL, its duplicate for the exchange, and LOCAL. Throws CommError on every rank when
  /// the groups name nobody, the master, the same rank twice, a rank that is not there, or a torus
  /// of another size.
  void form_groups(const Groups& groups);

  // Running.

  struct Handlers {
    /// Called on the communication thread for every control message; must return at once.
    std::function<void(Message)> on_message;
    /// Likewise for every publication that arrives.
    std::function<void(const PublicationHeader&, Bytes)> on_publication;
    /// The message layer failed (CommError), or a handler threw; called once, on the communication
    /// thread, which then ends. Must not throw.
    std::function<void(std::exception_ptr)> on_failure;
  };
  void start(Handlers handlers);

  /// Any thread. Queues the message and returns; messages between two ranks keep their order. A
  /// rank may send to itself. Throws CommError for a payload above the limit of its kind.
  void send(Rank destination, MessageKind kind, Bytes payload);
  /// Any thread. Queues a publication for the rank that hosts its destination cell. The payload is
  /// not copied, so all readers' messages can share it. Throws CommError like
  /// encode_publication_header().
  void publish(Rank destination, const PublicationHeader& header,
               const std::shared_ptr<const Bytes>& payload);

  /// Any thread. Gives up what is under way to and from a rank that is lost: it would never end.
  /// Messages to it can still be sent.
  void forget(Rank rank);

  // LOCAL, for active workers only.

  [[nodiscard]] int local_rank() const;
  [[nodiscard]] int local_size() const;
  /// The LOCAL ranks around this one, where the groups have a torus. Not while running.
  [[nodiscard]] TorusNeighbours local_neighbours() const;

  // Collectives: every active worker calls them in the same order, while running, from one thread
  // that is not the communication thread. The caller sleeps until that thread, which goes on with
  // everything else, has completed them. Throw CommError when it ends before.

  void local_barrier(std::string_view what);
  /// All ranks pass the same length.
  void local_broadcast(std::span<std::byte> bytes, int root, std::string_view what);

  /// Waits until everything queued has left this process, then ends the communication thread.
  /// `flush_timeout_s` bounds the wait: a receiver that is gone takes nothing. Messages that arrive
  /// meanwhile are still handed over. Not from a handler; a second time, it has no effect.
  void stop(double flush_timeout_s);

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
