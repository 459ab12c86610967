#include "worker/cell_link.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "coev/interrupted.hpp"
#include "core/error.hpp"

namespace lipizz::worker {
namespace {

// Ranks in step wait for each other for less; longer, for what another one does alone.
constexpr double kInStep_s = 0.05;

// An incarnation stands behind the message, so that its numbers stay where they lie.
Bytes with(std::uint32_t incarnation, Bytes message) {
  append(message, std::as_bytes(std::span(&incarnation, 1)));
  return message;
}

std::uint32_t taken_from(Bytes& message) {
  std::uint32_t incarnation = 0;
  if (message.size() < sizeof incarnation) {
    throw CommError("a message between the ranks of a cell is cut short");
  }
  const std::size_t n = message.size() - sizeof incarnation;
  std::memcpy(&incarnation, &message[n], sizeof incarnation);
  message.resize(n);
  return incarnation;
}

}  // namespace

void CellLink::begin(std::vector<Rank> ranks, Rank self, std::uint32_t incarnation) {
  self_ = {static_cast<std::uint32_t>(std::ranges::find(ranks, self) - ranks.begin())};
  ranks_ = std::move(ranks);
  const std::scoped_lock lock(mutex_);
  incarnation_ = incarnation;
  for (auto& [rank, messages] : inbox_) {
    std::erase_if(messages, [&](const Message& m) { return m.incarnation < incarnation; });
  }
}

void CellLink::send(RankInCell to, Bytes message) {
  std::unique_lock lock(mutex_);
  if (is_interrupted()) throw coev::Interrupted();  // the other rank may have left
  lock.unlock();
  channel_.send(ranks_.at(to.value), with(incarnation_, std::move(message)));
}

Bytes CellLink::receive(RankInCell from) {
  std::unique_lock lock(mutex_);
  const Rank rank = ranks_.at(from.value);
  std::deque<Message>& messages = inbox_[rank];
  const auto is_there = [&] {
    return !messages.empty() && messages.front().incarnation == incarnation_;
  };
  const auto is_over = [&] { return is_there() || is_interrupted(); };
  if (!is_over()) wait(rank, lock, is_over);
  if (is_interrupted()) throw coev::Interrupted();
  Bytes bytes = std::move(messages.front().bytes);
  messages.pop_front();
  return bytes;
}

void CellLink::wait(Rank from, std::unique_lock<std::mutex>& lock,
                    const std::function<bool()>& is_over) {
  const double start_s = channel_.clock->now_s();
  waits_for_ = {from, collective_};
  lock.unlock();
  channel_.progress_until(
      [&] {
        const std::scoped_lock looking(mutex_);
        return is_over();
      },
      kInStep_s);
  lock.lock();
  arrived_.wait(lock, is_over);
  waits_for_ = {kMaster, {}};
  waited_s_ += channel_.clock->now_s() - start_s;
}

std::pair<Rank, std::string_view> CellLink::waits_for() {
  const std::scoped_lock lock(mutex_);
  return waits_for_;
}

void CellLink::deliver(Rank from, Bytes message) {
  const std::uint32_t incarnation = taken_from(message);
  const std::scoped_lock lock(mutex_);
  if (incarnation < incarnation_) return;
  inbox_[from].push_back({incarnation, std::move(message)});
  arrived_.notify_all();
}

void CellLink::interrupt(std::uint32_t incarnation) {
  const std::scoped_lock lock(mutex_);
  interrupted_before_ = std::max(interrupted_before_, incarnation);
  arrived_.notify_all();
}

}  // namespace lipizz::worker
