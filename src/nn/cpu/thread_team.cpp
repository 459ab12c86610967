#include "nn/cpu/thread_team.hpp"

#include <algorithm>
#include <string>
#include <system_error>

#include "core/check.hpp"
#include "core/error.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::nn {

ThreadTeam::ThreadTeam(std::uint32_t n) : failures_(n) {
  LIPIZZ_ASSERT(n > 0);
}

ThreadTeam::~ThreadTeam() {
  stop();
}

void ThreadTeam::start() {
  try {
    for (std::uint32_t member = 1; member < size(); ++member) {
      threads_.emplace_back([this, member, n = n_tasks_] { stand_by(member, n); });
    }
  } catch (const std::system_error& failure) {
    stop();
    throw ConfigError("cannot start " + std::to_string(size()) + " threads: " + failure.what() +
                      "; choose fewer with --set threads_per_worker=N");
  }
}

void ThreadTeam::stop() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
    begun_.notify_all();
  }
  threads_.clear();
  is_over_ = false;
}

void ThreadTeam::run(const Task& task) {
  if (threads_.size() + 1 < size()) start();
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
  const auto failed = [](const std::exception_ptr& failure) { return failure != nullptr; };
  const auto first = std::ranges::find_if(failures_, failed);
  if (first == failures_.end()) return;
  const std::exception_ptr failure = *first;
  std::ranges::fill(failures_, nullptr);
  std::rethrow_exception(failure);
}

void ThreadTeam::work(const Task& task, std::uint32_t member) {
  try {
    task(member);
  } catch (...) {
    failures_[member] = std::current_exception();
  }
}

void ThreadTeam::stand_by(std::uint32_t member, std::uint64_t n_done) {
  prepare_compute_thread();
  for (;; ++n_done) {
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
