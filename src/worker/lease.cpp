#include "worker/lease.hpp"

#include <array>
#include <chrono>
#include <utility>

#include "core/time_slice.hpp"

namespace lipizz::worker {
namespace {

constexpr double kLooks = 10;  // at the clock, in the time of a lease
constexpr std::array kMasterAlone{kMaster};

}  // namespace

Lease::Lease(double limit_s, const Clock& clock, std::function<void(double silent_s)> on_end)
    : limits_{.late_after_s = limit_s / 2, .dead_after_s = limit_s},
      clock_(clock),
      on_end_(std::move(on_end)),
      thread_([this] { watch(); }) {}

Lease::~Lease() {
  release();
}

void Lease::renew() {
  const double now_s = clock_.now_s();
  const std::scoped_lock lock(mutex_);
  if (!master_) master_.emplace(kMasterAlone, limits_, now_s);
  master_->heard_from(kMaster, now_s);
}

void Lease::release() {
  const std::scoped_lock lock(mutex_);
  is_released_ = true;
  changed_.notify_all();
}

void Lease::watch() {
  prefer_short_waits();
  const std::chrono::duration<double> pause(limits_.dead_after_s / kLooks);
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, pause, [this] { return is_released_; })) {
    if (!master_) continue;
    for (const auto& event : master_->check(clock_.now_s())) {
      if (event.change != comm::HeartbeatMonitor::Change::kDead) continue;
      lock.unlock();
      return on_end_(event.silent_s);
    }
  }
}

}  // namespace lipizz::worker
