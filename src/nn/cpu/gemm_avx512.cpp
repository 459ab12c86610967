#include "nn/cpu/gemm_avx512.hpp"

#include "core/error.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <utility>

#define LIPIZZ_AVX512 __attribute__((target("avx512f")))

// Blocks of kDepth of the inner dimension; panels of kPanel columns of b, packed to lie in the
// first-level cache; strips of up to kStrip rows of a, whose kStrip x kPanel results fill the 32
// registers but two operands and one broadcast.
namespace lipizz::nn {
namespace {

constexpr std::uint32_t kDepth = 272;
constexpr std::uint32_t kLanes = 16;
constexpr std::uint32_t kPanel = 2 * kLanes;
constexpr std::uint32_t kStrip = 14;
static_assert(kDepth * kPanel == kGemmScratch);

// What happens to a block of results: where the sum starts and how it ends.
struct Finish {
  bool is_first;      // of the blocks over k: start from zero, not from c
  bool is_last;       // add the bias and activate
  const float* bias;  // of the panel's first column, or null
  float slope;        // below zero; 1 leaves the sum as it is
};

LIPIZZ_AVX512 inline __m512 finish(__m512 sum, const Finish& how, std::uint32_t column,
                                   __mmask16 mask) {
  if (how.bias != nullptr) {
    sum = _mm512_add_ps(sum, _mm512_maskz_loadu_ps(mask, how.bias + column));
  }
  const __m512 scaled = _mm512_mul_ps(sum, _mm512_set1_ps(how.slope));
  const __mmask16 is_positive = _mm512_cmp_ps_mask(sum, _mm512_setzero_ps(), _CMP_GT_OQ);
  return how.slope == 1 ? sum : _mm512_mask_blend_ps(is_positive, scaled, sum);
}

// One strip times one panel. Row r of the strip starts at a + r * a_stride.
template <int n_rows, int n_vectors>
LIPIZZ_AVX512 void multiply_strip(const float* a, std::size_t a_stride, const float* panel,
                                  std::uint32_t depth, float* c, std::size_t c_stride,
                                  __mmask16 last_mask, const Finish& how) {
  __m512 sum[n_rows][n_vectors];
  const __mmask16 masks[2] = {n_vectors == 1 ? last_mask : __mmask16{0xffff}, last_mask};
#pragma GCC unroll 16
  for (int r = 0; r < n_rows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < n_vectors; ++v) {
      sum[r][v] = how.is_first ? _mm512_setzero_ps()
                               : _mm512_maskz_loadu_ps(masks[v], c + r * c_stride + v * kLanes);
    }
  }
  // Three rows to a base pointer, so that addresses fit into the registers there are.
  constexpr int kBases = (n_rows + 2) / 3;
  const float* base[kBases];
#pragma GCC unroll 5
  for (int i = 0; i < kBases; ++i) base[i] = a + 3 * i * a_stride;
  for (std::uint32_t k = 0; k < depth; ++k) {
    __m512 b[n_vectors];
#pragma GCC unroll 2
    for (int v = 0; v < n_vectors; ++v) b[v] = _mm512_load_ps(panel + v * kLanes);
    panel += n_vectors * kLanes;
#pragma GCC unroll 16
    for (int r = 0; r < n_rows; ++r) {
      const __m512 x = _mm512_set1_ps(base[r / 3][(r % 3) * a_stride]);
#pragma GCC unroll 2
      for (int v = 0; v < n_vectors; ++v) sum[r][v] = _mm512_fmadd_ps(x, b[v], sum[r][v]);
    }
#pragma GCC unroll 5
    for (int i = 0; i < kBases; ++i) ++base[i];
  }
#pragma GCC unroll 16
  for (int r = 0; r < n_rows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < n_vectors; ++v) {
      const auto column = static_cast<std::uint32_t>(v) * kLanes;
      const __m512 y = how.is_last ? finish(sum[r][v], how, column, masks[v]) : sum[r][v];
      _mm512_mask_storeu_ps(c + r * c_stride + column, masks[v], y);
    }
  }
}

using Multiply = void (*)(const float*, std::size_t, const float*, std::uint32_t, float*,
                          std::size_t, __mmask16, const Finish&);

template <int n_vectors, int... rows>
constexpr std::array<Multiply, kStrip> strips(std::integer_sequence<int, rows...>) {
  return {multiply_strip<rows + 1, n_vectors>...};
}

constexpr auto kOneVector = strips<1>(std::make_integer_sequence<int, kStrip>());
constexpr auto kTwoVectors = strips<2>(std::make_integer_sequence<int, kStrip>());

LIPIZZ_AVX512 inline __m512 pairs_low(__m512 a, __m512 b) {
  return _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
}

LIPIZZ_AVX512 inline __m512 pairs_high(__m512 a, __m512 b) {
  return _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
}

// Sixteen rows of sixteen, written as columns.
LIPIZZ_AVX512 void transpose_16(const __m512 (&row)[16], float* out, std::size_t out_stride) {
  __m512 t[16];
  __m512 u[16];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    t[2 * i] = _mm512_unpacklo_ps(row[2 * i], row[2 * i + 1]);
    t[2 * i + 1] = _mm512_unpackhi_ps(row[2 * i], row[2 * i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    u[4 * i] = pairs_low(t[4 * i], t[4 * i + 2]);
    u[4 * i + 1] = pairs_high(t[4 * i], t[4 * i + 2]);
    u[4 * i + 2] = pairs_low(t[4 * i + 1], t[4 * i + 3]);
    u[4 * i + 3] = pairs_high(t[4 * i + 1], t[4 * i + 3]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512 low02 = _mm512_shuffle_f32x4(u[i], u[4 + i], 0x88);
    const __m512 low13 = _mm512_shuffle_f32x4(u[i], u[4 + i], 0xdd);
    const __m512 high02 = _mm512_shuffle_f32x4(u[8 + i], u[12 + i], 0x88);
    const __m512 high13 = _mm512_shuffle_f32x4(u[8 + i], u[12 + i], 0xdd);
    _mm512_store_ps(out + (0 + i) * out_stride, _mm512_shuffle_f32x4(low02, high02, 0x88));
    _mm512_store_ps(out + (4 + i) * out_stride, _mm512_shuffle_f32x4(low13, high13, 0x88));
    _mm512_store_ps(out + (8 + i) * out_stride, _mm512_shuffle_f32x4(low02, high02, 0xdd));
    _mm512_store_ps(out + (12 + i) * out_stride, _mm512_shuffle_f32x4(low13, high13, 0xdd));
  }
}

// Packs `width` columns of b from row `k0`, `depth` rows, into panel [depth, n_vectors * 16];
// missing columns become zero.
LIPIZZ_AVX512 void pack_rows(const MatrixView& b, std::uint32_t k0, std::uint32_t depth,
                             std::uint32_t column, std::uint32_t width, std::uint32_t n_vectors,
                             float* panel) {
  const auto tail = static_cast<__mmask16>(0xffffU >> (n_vectors * kLanes - width));
  for (std::uint32_t k = 0; k < depth; ++k) {
    const float* row = b.data + std::size_t{k0 + k} * b.stride + column;
    for (std::uint32_t v = 0; v < n_vectors; ++v) {
      const __mmask16 mask = v + 1 == n_vectors ? tail : __mmask16{0xffff};
      _mm512_store_ps(panel, _mm512_maskz_loadu_ps(mask, row + v * kLanes));
      panel += kLanes;
    }
  }
}

LIPIZZ_AVX512 void pack_columns(const MatrixView& b, std::uint32_t k0, std::uint32_t depth,
                                std::uint32_t column, std::uint32_t width, std::uint32_t n_vectors,
                                float* panel) {
  const std::size_t stride = n_vectors * kLanes;
  for (std::uint32_t v = 0; v < n_vectors; ++v) {
    const std::uint32_t n_columns = std::min(kLanes, width - v * kLanes);
    for (std::uint32_t k = 0; k < depth; k += kLanes) {
      const std::uint32_t n_rows = std::min(kLanes, depth - k);
      const auto mask = static_cast<__mmask16>(0xffffU >> (kLanes - n_rows));
      __m512 row[16];
#pragma GCC unroll 16
      for (std::uint32_t j = 0; j < kLanes; ++j) {
        const float* from = b.data + std::size_t{column + v * kLanes + j} * b.stride + k0 + k;
        row[j] = j < n_columns ? _mm512_maskz_loadu_ps(mask, from) : _mm512_setzero_ps();
      }
      transpose_16(row, panel + k * stride + v * kLanes, stride);
    }
  }
}

float slope_below_zero(Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return 0;
    case Activation::kLeakyRelu:
      return kLeakySlope;
    default:
      return 1;
  }
}

// One block of the inner dimension: which rows of a, which rows of b, how many.
struct Block {
  std::uint32_t begin;
  std::uint32_t depth;
  bool is_first;
  bool is_last;
};

// A product in progress: its operands, where a's rows and inner steps lie, and how it ends.
class Product {
 public:
  Product(const GemmShape& shape, const float* a, const MatrixView& b, const float* bias,
          Activation activation, float* c, float* scratch)
      : shape_(shape),
        a_(a),
        b_(b),
        bias_(bias),
        slope_(slope_below_zero(activation)),
        c_(c),
        scratch_(scratch),
        n_strips_((shape.m + kStrip - 1) / kStrip) {}

  // Each panel of b is packed just before it meets all strips of a.
  void multiply_block(const Block& block) const {
    for (std::uint32_t column = 0; column < shape_.n; column += kPanel) {
      pack(block, column, scratch_);
      for (std::uint32_t strip = 0; strip < n_strips_; ++strip) {
        fetch_ahead(block, column + kPanel, strip);
        multiply(block, strip, column, scratch_);
      }
    }
  }

 private:
  [[nodiscard]] std::uint32_t width(std::uint32_t column) const {
    return std::min(kPanel, shape_.n - column);
  }

  void pack(const Block& block, std::uint32_t column, float* panel) const {
    const auto pack_panel = b_.is_transposed ? pack_columns : pack_rows;
    const std::uint32_t n_vectors = (width(column) + kLanes - 1) / kLanes;
    pack_panel(b_, block.begin, block.depth, column, width(column), n_vectors, panel);
  }

  // Asks for this strip's share of the panel that is packed next: weights lie far from the core.
  void fetch_ahead(const Block& block, std::uint32_t column, std::uint32_t strip) const {
    if (column >= shape_.n) return;
    const std::uint32_t n_rows = b_.is_transposed ? width(column) : block.depth;
    const std::uint32_t n_columns = b_.is_transposed ? block.depth : width(column);
    const float* first =
        b_.data + (b_.is_transposed ? std::size_t{column} * b_.stride + block.begin
                                    : std::size_t{block.begin} * b_.stride + column);
    const std::uint32_t end = (strip + 1) * n_rows / n_strips_;
    for (std::uint32_t row = strip * n_rows / n_strips_; row < end; ++row) {
      for (std::uint32_t j = 0; j < n_columns; j += kLanes) {
        __builtin_prefetch(first + std::size_t{row} * b_.stride + j, 0, 2);
      }
    }
  }

  void multiply(const Block& block, std::uint32_t strip, std::uint32_t column,
                const float* panel) const {
    // Rows are shared out evenly, so that no strip is left with a few.
    const std::uint32_t row = strip * shape_.m / n_strips_;
    const std::uint32_t n_rows = (strip + 1) * shape_.m / n_strips_ - row;
    const std::uint32_t tail = (width(column) - 1) % kLanes + 1;
    const auto mask = static_cast<__mmask16>(0xffffU >> (kLanes - tail));
    const auto& kernels = width(column) > kLanes ? kTwoVectors : kOneVector;
    const Finish how{block.is_first, block.is_last, bias_ == nullptr ? nullptr : bias_ + column,
                     slope_};
    kernels[n_rows - 1](a_ + std::size_t{row} * shape_.k + block.begin, shape_.k, panel,
                        block.depth, c_ + std::size_t{row} * shape_.n + column, shape_.n, mask,
                        how);
  }

  GemmShape shape_;
  const float* a_;
  MatrixView b_;
  const float* bias_;
  float slope_;
  float* c_;
  float* scratch_;
  std::uint32_t n_strips_;
};

// The inner dimension in equal parts of whole vectors.
std::uint32_t block_depth(std::uint32_t k) {
  const std::uint32_t n_blocks = (k + kDepth - 1) / kDepth;
  return ((k + n_blocks - 1) / n_blocks + kLanes - 1) / kLanes * kLanes;
}

}  // namespace

void gemm_avx512(const GemmShape& shape, const float* a, const MatrixView& b, const float* bias,
                 Activation activation, float* c, float* scratch) {
  const Product product(shape, a, b, bias, activation, c, scratch);
  const std::uint32_t step = block_depth(shape.k);
  for (std::uint32_t k = 0; k < shape.k; k += step) {
    const std::uint32_t depth = std::min(step, shape.k - k);
    const Block block{k, depth, k == 0, k + depth == shape.k};
    product.multiply_block(block);
  }
}

}  // namespace lipizz::nn

#else

namespace lipizz::nn {

void gemm_avx512(const GemmShape&, const float*, const MatrixView&, const float*, Activation,
                 float*, float*) {
  throw InternalError("AVX-512 kernels are called on a machine without AVX-512");
}

}  // namespace lipizz::nn

#endif
