#include "worker/lease.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lipizz::worker {
namespace {

constexpr double kLooks = 10;  // at the clock, in the time of a lease

}  // namespace

Lease::Lease(double limit_s, const Clock& clock, std::function<void(double silent_s)> on_end)
    : limit_s_(limit_s),
      clock_(clock),
      on_end_(std::move(on_end)),
      looked_s_(clock.now_s()),
      thread_([this] { watch(); }) {}

Lease::~Lease() {
  release();
}

void Lease::renew() {
  const double now_s = clock_.now_s();
  const std::scoped_lock lock(mutex_);
  is_running_ = true;
  renewed_s_ = std::max(renewed_s_, now_s);
}

void Lease::release() {
  const std::scoped_lock lock(mutex_);
  is_released_ = true;
  changed_.notify_all();
}

void Lease::watch() {
  const std::chrono::duration<double> pause(limit_s_ / kLooks);
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, pause, [this] { return is_released_; })) {
    const double now_s = clock_.now_s();
    // A process that was itself held up blames nobody.
    if (now_s - looked_s_ > limit_s_ / 2) renewed_s_ += now_s - looked_s_;
    looked_s_ = now_s;
    const double silent_s = now_s - renewed_s_;
    if (!is_running_ || silent_s < limit_s_) continue;
    lock.unlock();
    return on_end_(silent_s);
  }
}

}  // namespace lipizz::worker
