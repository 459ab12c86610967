#include "nn/cpu/direct_loops.hpp"

#include <algorithm>
#include <array>

#include "core/simd.hpp"
#include "nn/cpu/constant_parts.hpp"
#include "nn/cpu/output_vectors.hpp"

// Built with fused products, which is why bits are those of a level.
namespace lipizz::nn {
namespace {

// Floats of some lines of x and dy that stay in the first cache while all weights pass by.
constexpr std::size_t kNearFloats = 4096;

// Lines whose positions are summed up together, at most: of narrow images, for whose few positions
// in a line an addition would wait for the last one.
constexpr std::size_t kLines = 4;

// Turns of the inmost loop that are written out.
constexpr std::size_t kTaps = 4;

// Some positions of some lines. x: where the first one's window begins.
template <class Registers, std::size_t n_lines, std::size_t n_in_line>
LIPIZZ_INLINE void convolve_part(const DirectShape& shape, const float* x, const float* weights,
                                 float* y, std::size_t y_stride) {
  constexpr std::size_t kN = n_lines * n_in_line;
  Outputs<Registers> sums[kN];
#pragma GCC unroll 32
  for (std::size_t p = 0; p < kN; ++p) sums[p].clear();
  const auto add_tap = [&](std::size_t tap) LIPIZZ_INLINE_LAMBDA {
    Outputs<Registers> weight;
    weight.load(weights);
    weights += kDirectOutputs;
#pragma GCC unroll 32
    for (std::size_t p = 0; p < kN; ++p) {
      const std::size_t pixel = p / n_in_line * shape.line_size() + p % n_in_line * shape.channels;
      sums[p].add(x[pixel + tap], weight);
    }
  };
  const std::size_t n_whole = shape.n_line_taps() / kTaps * kTaps;
  for (std::size_t line = 0; line < shape.kernel; ++line, x += shape.line_size()) {
    for (std::size_t tap = 0; tap < n_whole; tap += kTaps) {
#pragma GCC unroll 4
      for (std::size_t t = 0; t < kTaps; ++t) add_tap(tap + t);
    }
    for (std::size_t tap = n_whole; tap < shape.n_line_taps(); ++tap) add_tap(tap);
  }
#pragma GCC unroll 32
  for (std::size_t p = 0; p < kN; ++p) {
    sums[p].store(y + (p / n_in_line * shape.width + p % n_in_line) * y_stride);
  }
}

template <class Registers>
LIPIZZ_INLINE void convolve(const DirectShape& shape, const float* x, const float* weights,
                            float* y, std::size_t y_stride) {
  for_each_part<Registers::kMostInLine>(shape.width, [&](std::size_t w,
                                                         auto n) LIPIZZ_INLINE_LAMBDA {
    constexpr std::size_t kMostLines = std::min(kLines, Registers::kMost / n);
    for_each_part<kMostLines>(shape.height, [&](std::size_t h, auto n_lines) LIPIZZ_INLINE_LAMBDA {
      convolve_part<Registers, n_lines, n>(shape, x + h * shape.line_size() + w * shape.channels,
                                           weights, y + (h * shape.width + w) * y_stride, y_stride);
    });
  });
}

// The gradient of some weights, of taps that lie together, from some lines of positions.
template <class Registers, std::size_t n_taps>
LIPIZZ_INLINE void add_part(const DirectShape& shape, std::size_t n_lines, const float* x,
                            const float* dy, float* weights) {
  Outputs<Registers> sums[n_taps];
#pragma GCC unroll 16
  for (std::size_t t = 0; t < n_taps; ++t) sums[t].load(weights + t * kDirectOutputs);
  for (std::size_t h = 0; h < n_lines; ++h) {
    const float* pixel = x + h * shape.line_size();
    for (std::size_t w = 0; w < shape.width; ++w, pixel += shape.channels, dy += kDirectOutputs) {
      Outputs<Registers> derivative;
      derivative.load(dy);
#pragma GCC unroll 16
      for (std::size_t t = 0; t < n_taps; ++t) sums[t].add(pixel[t], derivative);
    }
  }
#pragma GCC unroll 16
  for (std::size_t t = 0; t < n_taps; ++t) sums[t].store(weights + t * kDirectOutputs);
}

template <class Registers>
LIPIZZ_INLINE void add_weight_gradient(const DirectShape& shape, const float* x, const float* dy,
                                       float* weights) {
  const std::size_t most_lines =
      std::max<std::size_t>(1, kNearFloats / (shape.width * (shape.channels + kDirectOutputs)));
  for (std::size_t h = 0; h < shape.height; h += most_lines) {
    const std::size_t n_lines = std::min(most_lines, shape.height - h);
    for (std::size_t line = 0; line < shape.kernel; ++line) {
      const float* from = x + (h + line) * shape.line_size();
      const float* derivatives = dy + h * shape.width * kDirectOutputs;
      float* to = weights + line * shape.n_line_taps() * kDirectOutputs;
      for_each_part<Registers::kMostInLine>(shape.n_line_taps(), [&](std::size_t tap,
                                                                     auto n) LIPIZZ_INLINE_LAMBDA {
        add_part<Registers, n>(shape, n_lines, from + tap, derivatives, to + tap * kDirectOutputs);
      });
    }
  }
}

void convolve_baseline(const DirectShape& shape, const float* x, const float* weights, float* y,
                       std::size_t y_stride) {
  convolve<BaselineRegisters>(shape, x, weights, y, y_stride);
}
void add_gradient_baseline(const DirectShape& shape, const float* x, const float* dy,
                           float* weights) {
  add_weight_gradient<BaselineRegisters>(shape, x, dy, weights);
}
constexpr DirectLoops kBaselineLoops{convolve_baseline, add_gradient_baseline};

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] void convolve_avx2(const DirectShape& shape, const float* x,
                                                     const float* weights, float* y,
                                                     std::size_t y_stride) {
  convolve<Avx2Registers>(shape, x, weights, y, y_stride);
}
[[gnu::target("arch=x86-64-v3")]] void add_gradient_avx2(const DirectShape& shape, const float* x,
                                                         const float* dy, float* weights) {
  add_weight_gradient<Avx2Registers>(shape, x, dy, weights);
}
constexpr DirectLoops kAvx2Loops{convolve_avx2, add_gradient_avx2};

[[gnu::target("arch=x86-64-v4")]] void convolve_avx512(const DirectShape& shape, const float* x,
                                                       const float* weights, float* y,
                                                       std::size_t y_stride) {
  convolve<Avx512Registers>(shape, x, weights, y, y_stride);
}
[[gnu::target("arch=x86-64-v4")]] void add_gradient_avx512(const DirectShape& shape, const float* x,
                                                           const float* dy, float* weights) {
  add_weight_gradient<Avx512Registers>(shape, x, dy, weights);
}
constexpr DirectLoops kAvx512Loops{convolve_avx512, add_gradient_avx512};
#endif

constexpr std::array kCompiled {
  kBaselineLoops,
#if defined(__x86_64__)
      kAvx2Loops, kAvx512Loops,
#endif
};

}  // namespace

const DirectLoops& direct_loops(NumericsLevel level) {
  return at_level(kCompiled, level);
}

}  // namespace lipizz::nn
