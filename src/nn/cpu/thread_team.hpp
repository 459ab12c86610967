#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lipizz::nn {

/// Threads that work on one task together, prepared with prepare_compute_thread(). The calling one
/// is a member, number 0. One thread at a time uses a team.
class ThreadTeam {
 public:
  using Task = std::function<void(std::uint32_t member)>;

  /// `n`: members, 1 or more. Their threads start with the first task.
  explicit ThreadTeam(std::uint32_t n);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(failures_.size()); }

  /// Has each member do its part of the task, and returns when all have. Throws what the first of
  /// them threw, by number; ConfigError where threads cannot be started.
  void run(const Task& task);

 private:
  void start();
  void stop();
  void stand_by(std::uint32_t member, std::uint64_t n_done);
  void work(const Task& task, std::uint32_t member);

  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  const Task* task_ = nullptr;
  std::uint64_t n_tasks_ = 0;  // so far
  std::uint32_t n_working_ = 0;
  bool is_over_ = false;
  std::vector<std::exception_ptr> failures_;  // by member
  std::vector<std::jthread> threads_;         // the last member: they use all others
};

}  // namespace lipizz::nn
