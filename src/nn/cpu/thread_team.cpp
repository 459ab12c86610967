#include "nn/cpu/thread_team.hpp"

#include <utility>

#include "core/check.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::nn {

ThreadTeam::ThreadTeam(std::uint32_t n) : failures_(n) {
  LIPIZZ_ASSERT(n > 0);
  for (std::uint32_t member = 1; member < n; ++member) {
    threads_.emplace_back([this, member] { stand_by(member); });
  }
}

ThreadTeam::~ThreadTeam() {
  const std::scoped_lock lock(mutex_);
  is_over_ = true;
  begun_.notify_all();
}

void ThreadTeam::run(const Task& task) {
  {
    const std::scoped_lock lock(mutex_);
    task_ = &task;
    ++n_tasks_;
    n_working_ = static_cast<std::uint32_t>(threads_.size());
    begun_.notify_all();
  }
  work(task, 0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return n_working_ == 0; });
  const auto failures = std::exchange(failures_, std::vector<std::exception_ptr>(size()));
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void ThreadTeam::work(const Task& task, std::uint32_t member) {
  try {
    task(member);
  } catch (...) {
    failures_[member] = std::current_exception();
  }
}

void ThreadTeam::stand_by(std::uint32_t member) {
  prepare_compute_thread();
  for (std::uint64_t n_done = 0;; ++n_done) {
    const Task* task = nullptr;
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return is_over_ || n_tasks_ > n_done; });
      if (is_over_) return;
      task = task_;
    }
    work(*task, member);
    const std::scoped_lock lock(mutex_);
    if (--n_working_ == 0) ended_.notify_all();
  }
}

}  // namespace lipizz::nn
