#include "master/heartbeat.hpp"

#include <chrono>
#include <utility>

#include "core/time_slice.hpp"

namespace lipizz::master {

Heartbeat::Heartbeat(std::vector<Rank> ranks, comm::HeartbeatMonitor::Limits limits,
                     double period_s, const Clock& clock, Ping ping, Tell tell, Beat on_beat)
    : ranks_(std::move(ranks)),
      limits_(limits),
      period_s_(period_s),
      clock_(clock),
      ping_(std::move(ping)),
      tell_(std::move(tell)),
      on_beat_(std::move(on_beat)),
      monitor_(ranks_, limits, clock.now_s()) {}

void Heartbeat::start() {
  const std::scoped_lock lock(mutex_);
  monitor_ = comm::HeartbeatMonitor(ranks_, limits_, clock_.now_s());
  thread_ = std::thread([this] { beat(); });
}

void Heartbeat::stop() {
  {
    const std::scoped_lock lock(mutex_);
    is_stopping_ = true;
  }
  stopping_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Heartbeat::heard_from(Rank rank) {
  const std::scoped_lock lock(mutex_);
  monitor_.heard_from(rank, clock_.now_s());
}

void Heartbeat::revive(Rank rank) {
  const std::scoped_lock lock(mutex_);
  monitor_.revive(rank, clock_.now_s());
}

bool Heartbeat::newly_heard_all() {
  const std::scoped_lock lock(mutex_);
  return monitor_.has_heard_all() && !std::exchange(has_told_of_all_, true);
}

void Heartbeat::beat() {
  prefer_short_waits();
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    const auto events = monitor_.check(clock_.now_s());
    std::vector<Rank> living = ranks_;
    std::erase_if(living, [this](Rank rank) { return monitor_.is_dead(rank); });
    lock.unlock();
    for (const auto& event : events) tell_(event);
    for (const Rank rank : living) ping_(rank);
    on_beat_();
    lock.lock();
    stopping_.wait_for(lock, std::chrono::duration<double>(period_s_),
                       [this] { return is_stopping_; });
  }
}

}  // namespace lipizz::master
