#include "nn/cpu/rank_update.hpp"

#include <algorithm>
#include <array>

#include "core/simd.hpp"
#include "nn/cpu/constant_parts.hpp"
#include "nn/cpu/output_vectors.hpp"

// Built with fused products, which is why bits are those of a level.
namespace lipizz::nn {
namespace {

// Rows that pass by all of c at a time: enough of them to be worth its way from the second cache
// and back, few enough to stay in the first.
constexpr std::size_t kFewRows = 64;
constexpr std::size_t kNearFloats = 8 << 10;

constexpr std::size_t kLine = 16;  // floats

// Memory that is fetched to the second cache a line at a time.
struct Ahead {
  const float* line;
  std::size_t step;  // floats

  LIPIZZ_INLINE void fetch() {
    __builtin_prefetch(line, 0, 2);
    line += step;
  }
};

// The share of the next n rows, from x and y on, that one of the parts of c has fetched while as
// many rows pass by it; parts beyond all shares have none, and shares beyond all parts are left
// out.
LIPIZZ_INLINE Ahead share_of(std::size_t part, std::size_t n, const float* x, std::size_t n_x,
                             const float* y, std::size_t n_y) {
  const std::size_t n_parts_x = n_x / kLine;
  if (part < n_parts_x) return {x + part * n * kLine, kLine};
  if (part < n_parts_x + n_y / kLine) return {y + (part - n_parts_x) * n * kLine, kLine};
  return {y, 0};
}

// Some rows by a part of c that stays in registers: n_i of its rows, n_j times sixteen columns.
template <class Registers, std::size_t n_i, std::size_t n_j>
LIPIZZ_INLINE void add_part(std::size_t n, const float* x, std::size_t x_stride, const float* y,
                            std::size_t y_stride, float* c, Ahead ahead) {
  Outputs<Registers> sums[n_i][n_j];
#pragma GCC unroll 32
  for (std::size_t i = 0; i < n_i; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < n_j; ++j) sums[i][j].load(c + i * y_stride + j * kDirectOutputs);
  }
  for (std::size_t row = 0; row < n; ++row, x += x_stride, y += y_stride) {
    ahead.fetch();
    Outputs<Registers> factors[n_j];
#pragma GCC unroll 4
    for (std::size_t j = 0; j < n_j; ++j) factors[j].load(y + j * kDirectOutputs);
#pragma GCC unroll 32
    for (std::size_t i = 0; i < n_i; ++i) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < n_j; ++j) sums[i][j].add(x[i], factors[j]);
    }
  }
#pragma GCC unroll 32
  for (std::size_t i = 0; i < n_i; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < n_j; ++j) sums[i][j].store(c + i * y_stride + j * kDirectOutputs);
  }
}

// most: sums in registers, by sixteen; most_j: of those, beside one another.
template <class Registers, std::size_t most, std::size_t most_j>
LIPIZZ_INLINE void update(std::size_t n, const float* x, std::size_t n_x, const float* y,
                          std::size_t n_y, float* c) {
  const std::size_t n_together = std::max(kFewRows, kNearFloats / (n_x + n_y));
  for (std::size_t row = 0; row < n;
       row += n_together, x += n_together * n_x, y += n_together * n_y) {
    const std::size_t n_rows = std::min(n_together, n - row);
    const std::size_t n_next = std::min(n_together, n - row - n_rows);
    std::size_t part = 0;
    for_each_part<most_j>(n_y / kDirectOutputs, [&](std::size_t j, auto n_j) LIPIZZ_INLINE_LAMBDA {
      for_each_part<most / n_j>(n_x, [&](std::size_t i, auto n_i) LIPIZZ_INLINE_LAMBDA {
        const Ahead ahead =
            n_next == n_together
                ? share_of(part++, n_together, x + n_together * n_x, n_x, y + n_together * n_y, n_y)
                : Ahead{y, 0};
        add_part<Registers, n_i, n_j>(n_rows, x + i, n_x, y + j * kDirectOutputs, n_y,
                                      c + i * n_y + j * kDirectOutputs, ahead);
      });
    });
  }
}

void update_baseline(std::size_t n, const float* x, std::size_t n_x, const float* y,
                     std::size_t n_y, float* c) {
  update<BaselineRegisters, BaselineRegisters::kMost, 1>(n, x, n_x, y, n_y, c);
}

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] void update_avx2(std::size_t n, const float* x, std::size_t n_x,
                                                   const float* y, std::size_t n_y, float* c) {
  update<Avx2Registers, Avx2Registers::kMost, 1>(n, x, n_x, y, n_y, c);
}

// These leave one of 32 registers for a factor and as many as four for a row of y.
[[gnu::target("arch=x86-64-v4")]] void update_avx512(std::size_t n, const float* x, std::size_t n_x,
                                                     const float* y, std::size_t n_y, float* c) {
  update<Avx512Registers, 24, 4>(n, x, n_x, y, n_y, c);
}
#endif

constexpr std::array kCompiled {
  RankUpdate{update_baseline},
#if defined(__x86_64__)
      RankUpdate{update_avx2}, RankUpdate{update_avx512},
#endif
};

}  // namespace

RankUpdate rank_update(NumericsLevel level) {
  return at_level(kCompiled, level);
}

}  // namespace lipizz::nn
