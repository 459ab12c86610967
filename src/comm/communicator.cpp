#include "comm/communicator.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "core/error.hpp"

namespace lipizz::comm {
namespace {

using Microseconds = std::chrono::microseconds;

// How long to sleep between two looks at something that is not there yet.
class Patience {
 public:
  void rest() {
    if (n_yields_ < 20) {
      ++n_yields_;
      std::this_thread::yield();
      return;
    }
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(pause_ * 3 / 2, Microseconds(1000));
  }

 private:
  int n_yields_ = 0;
  Microseconds pause_{50};
};

void check_size(std::size_t n_bytes, std::string_view what) {
  if (n_bytes <= kMaxMessageBytes) return;
  throw CommError(std::string(what) + ": a message of " + std::to_string(n_bytes) +
                  " bytes is above the limit of " + std::to_string(kMaxMessageBytes));
}

void check_tag(int tag, std::string_view what) {
  if (tag >= 0 && tag <= kMaxTag) return;
  throw CommError(std::string(what) + ": tag " + std::to_string(tag) + " is not in 0 to " +
                  std::to_string(kMaxTag));
}

}  // namespace

bool Request::test() {
  is_complete_ = is_complete_ || impl_->test();
  return is_complete_;
}

void Request::wait() {
  Patience patience;
  while (!test()) patience.rest();
}

std::vector<Bytes> Request::take() {
  wait();
  return impl_->take();
}

void Communicator::check_rank(int rank, std::string_view what) const {
  if (rank >= 0 && rank < size()) return;
  throw CommError(std::string(what) + ": there is no rank " + std::to_string(rank) + " among " +
                  std::to_string(size()));
}

void Communicator::check_message(int destination, int tag, std::size_t n_bytes,
                                 std::string_view what) const {
  check_rank(destination, what);
  check_tag(tag, what);
  check_size(n_bytes, what);
}

Request Communicator::isend(int destination, int tag, Bytes payload, std::string_view what) {
  check_message(destination, tag, payload.size(), what);
  return Request(impl_->isend(destination, tag, std::move(payload), what));
}

Request Communicator::isend_shared(int destination, int tag, SharedBytes payload,
                                   std::string_view what) {
  check_message(destination, tag, payload.bytes.size(), what);
  return Request(impl_->isend_shared(destination, tag, std::move(payload), what));
}

std::optional<Incoming> Communicator::improbe(int source, int tag, std::string_view what) {
  if (source != kAny) check_rank(source, what);
  if (tag != kAny) check_tag(tag, what);
  return impl_->improbe(source, tag, what);
}

Bytes Communicator::receive(int source, int tag, std::string_view what) {
  Patience patience;
  while (true) {
    if (std::optional<Incoming> incoming = improbe(source, tag, what)) {
      return std::move(incoming->receive(what).take().front());
    }
    patience.rest();
  }
}

Request Communicator::ibarrier(std::string_view what) {
  return Request(impl_->ibarrier(what));
}

Request Communicator::ibroadcast(Bytes bytes, int root, std::string_view what) {
  check_rank(root, what);
  check_size(bytes.size(), what);
  return Request(impl_->ibroadcast(std::move(bytes), root, what));
}

Request Communicator::igather(Bytes mine, int root, std::string_view what) {
  check_rank(root, what);
  check_size(mine.size(), what);
  return Request(impl_->igather(std::move(mine), root, what));
}

Request Communicator::iallgather(Bytes mine, std::string_view what) {
  check_size(mine.size(), what);
  return Request(impl_->iallgather(std::move(mine), what));
}

void Communicator::barrier(std::string_view what) {
  ibarrier(what).wait();
}

Bytes Communicator::broadcast(Bytes bytes, int root, std::string_view what) {
  std::uint64_t n_bytes = bytes.size();
  broadcast(std::span(&n_bytes, 1), root, what);
  check_size(n_bytes, what);  // after the size has been told, so that all ranks throw alike
  bytes.resize(n_bytes);
  return std::move(ibroadcast(std::move(bytes), root, what).take().front());
}

std::vector<Bytes> Communicator::gather(Bytes mine, int root, std::string_view what) {
  return igather(std::move(mine), root, what).take();
}

Communicator Communicator::duplicate(std::string_view what) {
  return Communicator(impl_->duplicate(what));
}

Communicator Communicator::split(int color, int key, std::string_view what) {
  return Communicator(impl_->split(color, key, what));
}

Communicator Communicator::cartesian(int rows, int columns, std::string_view what) {
  if (rows < 1 || columns < 1 || std::int64_t{rows} * columns != size()) {
    throw CommError(std::string(what) + ": a torus of " + std::to_string(rows) + "x" +
                    std::to_string(columns) + " cannot be made of " + std::to_string(size()) +
                    " ranks");
  }
  return Communicator(impl_->cartesian(rows, columns, what));
}

int Communicator::rank_at(int row, int column, std::string_view what) const {
  return impl_->rank_at(row, column, what);
}

void Communicator::abort(int exit_code) {
  impl_->abort(exit_code);
  throw InternalError("a transport came back from ending the job");
}

Bytes Communicator::copy_of(std::span<const std::byte> bytes, std::string_view what) {
  check_size(bytes.size(), what);
  return lipizz::copy_of(bytes);
}

void Communicator::copy_into(std::span<std::byte> out, const Bytes& bytes, std::string_view what) {
  if (bytes.size() != out.size()) {
    throw CommError(std::string(what) + ": expected " + std::to_string(out.size()) +
                    " bytes, found " + std::to_string(bytes.size()));
  }
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size());
}

}  // namespace lipizz::comm
