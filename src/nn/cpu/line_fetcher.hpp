#pragma once

#include <cstddef>

#include "nn/base/buffer.hpp"

namespace lipizz::nn {

/// Parts of a matrix that follow each other at equal distances.
struct Lines {
  const char* first = nullptr;
  std::size_t stride = 0;   // in bytes, from one part to the next
  std::size_t n_bytes = 0;  // of each part
  std::size_t n = 0;        // parts

  /// Cache lines.
  [[nodiscard]] std::size_t size() const { return n * ((n_bytes + kCacheLine - 1) / kCacheLine); }

  /// The share of them of `begin` to `end` of `all`.
  [[nodiscard]] Lines share(std::size_t begin, std::size_t end, std::size_t all) const {
    const std::size_t skipped = n * begin / all;
    return {first + skipped * stride, stride, n_bytes, n * end / all - skipped};
  }
};

/// Brings lines to the second cache, some at a time: a processor waits where it is asked for more
/// than it has room to wait for, two dozen on a Zen 4.
class LineFetcher {
 public:
  /// All of them in so many times.
  LineFetcher(const Lines& lines, std::size_t n_times)
      : lines_(lines), n_at_a_time_((lines.size() + n_times - 1) / n_times) {}

  void fetch_some() {
    for (std::size_t i = 0; i < n_at_a_time_ && lines_.n > 0; ++i) {
      __builtin_prefetch(lines_.first + at_, 0, 2);
      at_ += kCacheLine;
      if (at_ < lines_.n_bytes) continue;
      at_ = 0;
      if (--lines_.n > 0) lines_.first += lines_.stride;
    }
  }

 private:
  Lines lines_;
  std::size_t n_at_a_time_;
  std::size_t at_ = 0;  // the byte of the first part
};

}  // namespace lipizz::nn
