#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/bytes.hpp"

namespace lipizz::comm {

/// Matches every source, or every tag, in improbe() and receive().
inline constexpr int kAny = -1;

/// Tags run from 0 to here; MPI guarantees no more.
inline constexpr int kMaxTag = 32767;

/// The largest message: MPI counts in int. A larger one is refused before it is sent, never cut.
inline constexpr std::size_t kMaxMessageBytes = std::numeric_limits<int>::max();

/// Bytes that several messages share, and what keeps them alive. They must not change.
struct SharedBytes {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

/// A transport implements this of a Request. It owns the buffers of the operation.
class RequestImpl {
 public:
  virtual ~RequestImpl() = default;
  [[nodiscard]] virtual bool test() = 0;
  /// Called once, after test() has returned true.
  [[nodiscard]] virtual std::vector<Bytes> take() { return {}; }
};

/// An operation that has begun. It owns its buffers, alone or with others, so the caller need not
/// keep anything alive. Destroying it before it is complete abandons the operation: nothing waits
/// for it any more.
class Request {
 public:
  explicit Request(std::unique_ptr<RequestImpl> impl) : impl_(std::move(impl)) {}

  /// Makes progress and returns at once, true when the operation is complete, and from then on.
  /// Throws CommError.
  [[nodiscard]] bool test();
  /// Sleeps until it is complete (polls at intervals that grow from 50 microseconds to 1 ms).
  void wait();
  /// Waits and takes what the operation brought: one part for a receive and a broadcast, one per
  /// rank for a gather, none for a send and a barrier. Once.
  [[nodiscard]] std::vector<Bytes> take();

 private:
  std::unique_ptr<RequestImpl> impl_;
  bool is_complete_ = false;
};

/// A transport implements this of an Incoming.
class IncomingImpl {
 public:
  virtual ~IncomingImpl() = default;
  [[nodiscard]] virtual std::unique_ptr<RequestImpl> receive(std::string_view what) = 0;
};

/// A message that has been matched and belongs to whoever holds this: no other call can receive it.
struct Incoming {
  int source;
  int tag;
  std::size_t n_bytes;
  std::unique_ptr<IncomingImpl> impl;

  /// Allocates n_bytes and begins to receive. Once.
  [[nodiscard]] Request receive(std::string_view what) { return Request(impl->receive(what)); }
};

/// A transport implements this; Communicator says what each call means. Arguments have been
/// checked.
class CommImpl {
 public:
  using Requested = std::unique_ptr<RequestImpl>;
  using Made = std::unique_ptr<CommImpl>;

  virtual ~CommImpl() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  virtual Requested isend(int destination, int tag, Bytes payload, std::string_view what) = 0;
  virtual Requested isend_shared(int destination, int tag, SharedBytes payload,
                                 std::string_view what) = 0;
  virtual std::optional<Incoming> improbe(int source, int tag, std::string_view what) = 0;

  virtual Requested ibarrier(std::string_view what) = 0;
  virtual Requested ibroadcast(Bytes bytes, int root, std::string_view what) = 0;
  virtual Requested igather(Bytes mine, int root, std::string_view what) = 0;
  virtual Requested iallgather(Bytes mine, std::string_view what) = 0;

  virtual Made duplicate(std::string_view what) = 0;
  virtual Made split(int color, int key, std::string_view what) = 0;  // null outside every group
  virtual Made cartesian(int rows, int columns, std::string_view what) = 0;
  [[nodiscard]] virtual int rank_at(int row, int column, std::string_view what) const = 0;

  virtual void wait_for_activity(double max_s) = 0;
  virtual void wake() = 0;
  virtual void abort(int exit_code) = 0;  // does not return, or throws
};

/// A group of ranks that can talk to each other: a move-only value over a transport (threads of one
/// process, of which one rank alone is the smallest case; MPI).
///
/// Every call takes a few words, `what` the caller was doing, which end up in its CommError. A call
/// throws CommError when the transport fails or an argument is out of range. No call spins: what
/// waits, sleeps. Messages between two ranks on one communicator keep their order; messages on
/// different communicators never meet.
///
/// One thread at a time may use a communicator and those made from it; only wake() may come from
/// any thread. (After the idea of ADIOS2's helper::Comm.)
class Communicator {
 public:
  /// An empty one: no calls but assignment and the test for emptiness.
  Communicator() = default;
  explicit Communicator(std::unique_ptr<CommImpl> impl) : impl_(std::move(impl)) {}
  [[nodiscard]] explicit operator bool() const { return impl_ != nullptr; }

  [[nodiscard]] int rank() const { return impl_->rank(); }
  [[nodiscard]] int size() const { return impl_->size(); }

  // Point to point.

  /// Begins to send; complete when the payload has left this rank's hands. 0 <= tag <= kMaxTag.
  Request isend(int destination, int tag, Bytes payload, std::string_view what);
  template <class T>
  requires std::is_trivially_copyable_v<T> Request isend(int destination, int tag,
                                                         std::span<const T> values,
                                                         std::string_view what) {
    return isend(destination, tag, copy_of(std::as_bytes(values), what), what);
  }

  /// Begins to send without a copy of its own under MPI, so that many sends of one payload hold it
  /// once.
  Request isend_shared(int destination, int tag, SharedBytes payload, std::string_view what);

  /// The oldest message from `source` with `tag` (each may be kAny) if one has arrived. The caller
  /// learns its size before anything is allocated.
  [[nodiscard]] std::optional<Incoming> improbe(int source, int tag, std::string_view what);

  /// Sleeps until such a message has arrived, and returns it.
  [[nodiscard]] Bytes receive(int source, int tag, std::string_view what);

  // Collectives, begun: every rank calls the same ones in the same order, and begins the next one
  // on this communicator only when this one is complete.

  Request ibarrier(std::string_view what);
  /// Everybody gets root's bytes; all ranks pass the same length.
  Request ibroadcast(Bytes bytes, int root, std::string_view what);
  /// Root gets one part per rank, in order of ranks, each of its own length; the others none.
  Request igather(Bytes mine, int root, std::string_view what);
  /// Every rank gets one part per rank, in order of ranks, each of its own length.
  Request iallgather(Bytes mine, std::string_view what);

  // The same, sleeping until complete.

  void barrier(std::string_view what);
  /// Everybody gets root's bytes, whatever the others pass.
  [[nodiscard]] Bytes broadcast(Bytes bytes, int root, std::string_view what);
  /// Writes root's values over the others'; all ranks pass the same length.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void broadcast(std::span<T> values, int root, std::string_view what) {
    const Bytes bytes = ibroadcast(copy_of(std::as_bytes(values), what), root, what).take().front();
    copy_into(std::as_writable_bytes(values), bytes, what);
  }
  [[nodiscard]] std::vector<Bytes> gather(Bytes mine, int root, std::string_view what);
  /// One value from each rank, in order of ranks.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  [[nodiscard]] std::vector<T> allgather(const T& mine, std::string_view what) {
    const std::span<const T> one(&mine, 1);
    std::vector<T> all;
    for (const Bytes& part : iallgather(copy_of(std::as_bytes(one), what), what).take()) {
      all.push_back(ByteReader(part, what).value<T>());
    }
    return all;
  }

  // New communicators: collective, for set-up only (MPI's own calls for this do not sleep; a
  // sleeping barrier before them makes the wait for a late rank cheap).

  [[nodiscard]] Communicator duplicate(std::string_view what);
  /// The ranks that pass the same `color` (0 or more) form a group, ordered by key, then by rank
  /// here. A negative color: in no group, the result is empty.
  [[nodiscard]] Communicator split(int color, int key, std::string_view what);
  /// The same ranks in the same order on a periodic torus, row by row; size() must be
  /// rows * columns.
  [[nodiscard]] Communicator cartesian(int rows, int columns, std::string_view what);
  /// Returns the rank at this place of a torus, which cartesian() made, or a duplicate of it. Rows
  /// and columns wrap around, also from below 0.
  [[nodiscard]] int rank_at(int row, int column, std::string_view what) const;

  // Waiting and leaving.

  /// Sleeps until a message may have arrived on this communicator or its relatives, wake() was
  /// called since the last time, or `max_s` seconds have passed. A transport that cannot tell (MPI)
  /// sees only wake() and the time.
  void wait_for_activity(double max_s) { impl_->wait_for_activity(max_s); }
  /// Any thread. Ends this or the next wait_for_activity() on this communicator at once.
  void wake() { impl_->wake(); }

  /// Ends every process of the job with this exit code and does not return. On threads: throws
  /// CommError, as does from then on every call of every rank of the world.
  [[noreturn]] void abort(int exit_code);

 private:
  static Bytes copy_of(std::span<const std::byte> bytes, std::string_view what);
  static void copy_into(std::span<std::byte> out, const Bytes& bytes, std::string_view what);
  void check_rank(int rank, std::string_view what) const;
  void check_message(int destination, int tag, std::size_t n_bytes, std::string_view what) const;

  std::unique_ptr<CommImpl> impl_;
};

}  // namespace lipizz::comm
