#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "nn/base/buffer.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn::cuda {

/// Which values of a graph a library reads as copies of another type or order, and where those lie.
/// A copy serves all operations that read the value after it was made.
class StagedValues {
 public:
  /// Where the copy of a value of so many elements begins, in floats.
  std::size_t place(ValueId value, std::size_t n) {
    const auto [known, is_new] = copies_.try_emplace(value, Copy{size_});
    if (is_new) size_ += padded<float>(n);
    return known->second.begin;
  }
  /// True when there is none yet that may be read; from now on there is.
  bool has_to_be_made(ValueId value) {
    Copy& copy = copies_.at(value);
    const bool is_there = copy.made_in == epoch_;
    copy.made_in = epoch_;
    return !is_there;
  }
  /// An operation has updated its inputs: no copy may be read any more.
  void expire() { ++epoch_; }

  /// Floats of a model.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Copy {
    std::size_t begin;
    std::uint32_t made_in = 0;
  };

  std::map<ValueId, Copy> copies_;
  std::size_t size_ = 0;
  std::uint32_t epoch_ = 1;
};

}  // namespace lipizz::nn::cuda
