#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "nn/base/storage.hpp"

namespace lipizz::nn::testing {

/// Memory of the heap, of which it counts the bytes that are in use.
class CountedStorage final : public Storage {
 public:
  [[nodiscard]] void* allocate(std::size_t n_bytes) const override {
    n_bytes_ += n_bytes;
    return std::calloc(n_bytes, 1);
  }
  void release(void* bytes, std::size_t n_bytes) const noexcept override {
    n_bytes_ -= n_bytes;
    std::free(bytes);
  }
  [[nodiscard]] std::size_t n_bytes() const { return n_bytes_; }

 private:
  mutable std::atomic<std::size_t> n_bytes_ = 0;
};

}  // namespace lipizz::nn::testing
