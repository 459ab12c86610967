#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace lipizz::comm {

/// Lets one thread sleep until another has something for it. A wake-up that comes before the sleep
/// is not lost.
class Waker {
 public:
  void wake() {
    {
      const std::lock_guard lock(mutex_);
      is_awake_ = true;
    }
    changed_.notify_one();
  }

  void wait(double max_s) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(max_s), [this] { return is_awake_; });
    is_awake_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_awake_ = false;
};

}  // namespace lipizz::comm
