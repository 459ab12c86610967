#include "data/reader_threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lipizz::data {
namespace {

class SharedWork {
 public:
  SharedWork(std::uint32_t n, const std::function<void(std::uint32_t)>& work)
      : n_(n), work_(work) {}

  // Indices are begun in order, so none below a failed one is left out.
  void take_part() {
    while (!has_failed_) {
      const std::uint64_t index = next_++;
      if (index >= n_) return;
      try {
        work_(static_cast<std::uint32_t>(index));
      } catch (...) {
        note(index, std::current_exception());
      }
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void note(std::uint64_t index, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_ || index < failed_) {
      failed_ = index;
      error_ = std::move(error);
    }
    has_failed_ = true;
  }

  std::uint32_t n_;
  const std::function<void(std::uint32_t)>& work_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> has_failed_{false};
  std::mutex mutex_;
  std::uint64_t failed_ = 0;
  std::exception_ptr error_;
};

}  // namespace

void for_each_on_threads(std::uint32_t n, std::uint32_t n_threads,
                         const std::function<void(std::uint32_t)>& work) {
  SharedWork shared(n, work);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 1; i < std::min(n, n_threads); ++i) {
      threads.emplace_back([&shared] { shared.take_part(); });
    }
    shared.take_part();
  }
  shared.rethrow();
}

}  // namespace lipizz::data
