#pragma once

#include <array>
#include <cstddef>

namespace lipizz::bench {

/// How fast one core moves memory, by how much of it there is: a stream goes over it again and
/// again, so that it comes from the nearest cache which holds all of it. One stream reads all of
/// it, another one reads one half and writes the other; the faster one counts.
class Bandwidth {
 public:
  /// Measures in CPU time of the calling thread, about 0.1 s.
  Bandwidth();

  /// That of the longest stream of no more bytes than these, or of the shortest.
  [[nodiscard]] double bytes_per_s(double n_bytes) const;

 private:
  static constexpr std::array<std::size_t, 7> kSizes{16 << 10, 64 << 10, 256 << 10, 1 << 20,
                                                     4 << 20,  16 << 20, 64 << 20};

  std::array<double, kSizes.size()> bytes_per_s_{};
};

}  // namespace lipizz::bench
