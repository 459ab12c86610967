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
double stream_s(std::size_t n_times, const Stream& stream) {
  stream();
  double best_s = 0;
  for (int i = 0; i < kTries; ++i) {
    const double begin_s = thread_cpu_s();
    for (std::size_t j = 0; j < n_times; ++j) stream();
    const double each_s = (thread_cpu_s() - begin_s) / static_cast<double>(n_times);
    best_s = i == 0 ? each_s : std::min(best_s, each_s);
  }
  return best_s;
}

}  // namespace

Bandwidth::Bandwidth() {
  nn::Buffer<float> memory(kLongest / sizeof(float));
  nn::Buffer<float> sums(kSums);
  std::size_t n_bytes = kShortest;
  for (double& measured : bytes_per_s_) {
    const std::size_t n = n_bytes / sizeof(float);
    const std::size_t n_times = std::max<std::size_t>(1, kLongest / n_bytes / 4);
    const double best_s =
        std::min(stream_s(n_times, [&] { read_all(memory.data(), n, sums.data()); }),
                 stream_s(n_times, [&] { copy_half(memory.data(), n, 1); }));
    measured = static_cast<double>(n_bytes) / best_s;
    n_bytes *= 2;
  }
}

double Bandwidth::bytes_per_s(double n_bytes) const {
  std::size_t i = 0;
  while (i + 1 < kStreams && static_cast<double>(kShortest << (i + 1)) <= n_bytes) ++i;
  return bytes_per_s_[i];
}

}  // namespace lipizz::bench
