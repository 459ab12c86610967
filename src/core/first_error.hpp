#pragma once

#include <exception>
#include <mutex>
#include <utility>

namespace lipizz {

/// The first error of several threads; what the others throw after it only follows from it. Any
/// thread may call it.
class FirstError {
 public:
  void take(std::exception_ptr error) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  /// Nothing where there is none.
  void rethrow() const {
    const std::scoped_lock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  mutable std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace lipizz
