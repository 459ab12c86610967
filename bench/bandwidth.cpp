#include "bandwidth.hpp"

#include <algorithm>
#include <span>

#include "core/clock.hpp"
#include "core/simd.hpp"
#include "nn/base/buffer.hpp"

namespace lipizz::bench {
namespace {

constexpr int kTries = 3;

LIPIZZ_MULTIVERSION
void stream(const float* from, float* to, std::size_t n, float added) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i] + added;
}

// CPU seconds of one stream of so many bytes, at best, once caches have what they hold of it.
double stream_s(std::span<float> memory, std::size_t n_bytes) {
  const std::size_t n = n_bytes / sizeof(float) / 2;
  const std::size_t n_streams = std::max<std::size_t>(1, memory.size_bytes() / n_bytes / 4);
  stream(memory.data(), memory.data() + n, n, 1);
  double best_s = 0;
  for (int i = 0; i < kTries; ++i) {
    const double begin_s = thread_cpu_s();
    for (std::size_t j = 0; j < n_streams; ++j) stream(memory.data(), memory.data() + n, n, 1);
    const double each_s = (thread_cpu_s() - begin_s) / static_cast<double>(n_streams);
    best_s = i == 0 ? each_s : std::min(best_s, each_s);
  }
  return best_s;
}

}  // namespace

Bandwidth::Bandwidth() {
  nn::Buffer<float> memory(kSizes.back() / sizeof(float));
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    bytes_per_s_[i] = static_cast<double>(kSizes[i]) / stream_s(memory, kSizes[i]);
  }
}

double Bandwidth::bytes_per_s(double n_bytes) const {
  std::size_t i = 0;
  while (i + 1 < kSizes.size() && static_cast<double>(kSizes[i + 1]) <= n_bytes) ++i;
  return bytes_per_s_[i];
}

}  // namespace lipizz::bench
