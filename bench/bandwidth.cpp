#include "bandwidth.hpp"

#include <algorithm>

#include "core/clock.hpp"
#include "core/simd.hpp"
#include "nn/base/buffer.hpp"

namespace lipizz::bench {
namespace {

constexpr int kTries = 3;
constexpr std::size_t kSums = 128;  // side by side

LIPIZZ_MULTIVERSION
void read_all(const float* from, std::size_t n, float* sums) {
  for (std::size_t i = 0; i < n; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) sums[j] += from[i + j];
  }
}

LIPIZZ_MULTIVERSION
void copy_half(float* memory, std::size_t n, float added) {
  const float* from = memory;
  float* to = memory + n / 2;
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n / 2; ++i) to[i] = from[i] + added;
}

// CPU seconds of one stream, at best, once caches have what they hold of it.
template <class Stream>
double stream_s(std::size_t n_streams, const Stream& stream) {
  stream();
  double best_s = 0;
  for (int i = 0; i < kTries; ++i) {
    const double begin_s = thread_cpu_s();
    for (std::size_t j = 0; j < n_streams; ++j) stream();
    const double each_s = (thread_cpu_s() - begin_s) / static_cast<double>(n_streams);
    best_s = i == 0 ? each_s : std::min(best_s, each_s);
  }
  return best_s;
}

}  // namespace

Bandwidth::Bandwidth() {
  nn::Buffer<float> memory(kSizes.back() / sizeof(float));
  nn::Buffer<float> sums(kSums);
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    const std::size_t n = kSizes[i] / sizeof(float);
    const std::size_t n_streams = std::max<std::size_t>(1, kSizes.back() / kSizes[i] / 4);
    const double best_s =
        std::min(stream_s(n_streams, [&] { read_all(memory.data(), n, sums.data()); }),
                 stream_s(n_streams, [&] { copy_half(memory.data(), n, 1); }));
    bytes_per_s_[i] = static_cast<double>(kSizes[i]) / best_s;
  }
}

double Bandwidth::bytes_per_s(double n_bytes) const {
  std::size_t i = 0;
  while (i + 1 < kSizes.size() && static_cast<double>(kSizes[i + 1]) <= n_bytes) ++i;
  return bytes_per_s_[i];
}

}  // namespace lipizz::bench
