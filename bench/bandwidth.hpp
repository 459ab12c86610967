#pragma once

#include <array>
#include <cstddef>

namespace lipizz::bench {

/// How fast one core moves memory, by how much of it there is: a stream reads half of it and writes
/// the other half, again and again, so that it comes from the nearest cache which holds all of it.
class Bandwidth {
 public:
  /// Measures in CPU time of the calling thread, about 50 ms.
  Bandwidth();

  /// That of the longest stream of no more bytes than these.
  [[nodiscard]] double bytes_per_s(double n_bytes) const;

 private:
  static constexpr std::array<std::size_t, 5> kSizes{256 << 10, 1 << 20, 4 << 20, 16 << 20,
                                                     64 << 20};

  std::array<double, kSizes.size()> bytes_per_s_{};
};

}  // namespace lipizz::bench
