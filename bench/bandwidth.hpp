#pragma once

#include <array>
#include <cstddef>

namespace lipizz::bench {

/// How fast one core moves memory, by how much of it there is: a stream goes over it again and
/// again, so that it comes from the nearest cache which holds all of it. One stream reads all of
/// it, another one reads one half and writes the other; the faster one counts.
class Bandwidth {
 public:
  /// Measures in CPU time of the calling thread, about 0.15 s.
  Bandwidth();

  /// That of the longest stream of no more bytes than these, or of the shortest.
  [[nodiscard]] double bytes_per_s(double n_bytes) const;

 private:
  // Streams of 16 KB to 64 MB, each twice as long as the one before.
  static constexpr std::size_t kShortest = 16 << 10;
  static constexpr std::size_t kStreams = 13;
  static constexpr std::size_t kLongest = kShortest << (kStreams - 1);

  std::array<double, kStreams> bytes_per_s_{};
};

}  // namespace lipizz::bench
