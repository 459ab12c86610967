#pragma once

#include <cstddef>

#include "nn/base/buffer.hpp"

namespace lipizz::nn {

/// Memory for what a plan needs while it runs and no longer: plans that run in turns share it, so
/// that it is as large as the largest of them needs, not as all together do. One thread uses an
/// arena.
template <class T>
class Arena {
 public:
  /// Makes room for `n` elements: those that lay there are lost, and data() may be another.
  void reserve(std::size_t n) {
    if (n <= memory_.size()) return;
    Buffer<T>().swap(memory_);  // given back before more is taken
    memory_.resize(n);
  }

  [[nodiscard]] T* data() { return memory_.data(); }
  [[nodiscard]] std::size_t size() const { return memory_.size(); }

 private:
  Buffer<T> memory_;
};

}  // namespace lipizz::nn
