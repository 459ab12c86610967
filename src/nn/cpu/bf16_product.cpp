#include "nn/cpu/bf16_product.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "nn/base/buffer.hpp"
#include "nn/cpu/avx512_bf16.hpp"
#include "nn/cpu/constant_parts.hpp"
#include "nn/cpu/elementwise.hpp"

namespace lipizz::nn {
namespace {

// Pairs of a block, so that the panel of it that a tile reads stays in the first cache; rows and
// columns of a block, so that it stays in the second.
constexpr std::size_t kMostPairs = 208;
constexpr std::size_t kMostRows = 128;
constexpr std::size_t kMostVectors = 49;  // of columns

// A tile's sums, the panel's vectors beside them and a factor fill the registers.
constexpr std::size_t kTileRows = 8;
constexpr std::size_t kTileVectors = 3;
constexpr std::size_t kPanelColumns = kTileVectors * kPairLanes;

// Parts of n, as equal as they can be.
struct Parts {
  std::size_t n, n_parts;

  Parts(std::size_t n_all, std::size_t most) : n(n_all), n_parts((n_all + most - 1) / most) {}
  [[nodiscard]] std::size_t begin(std::size_t part) const { return part * n / n_parts; }
  [[nodiscard]] std::size_t most() const { return (n + n_parts - 1) / n_parts; }
};

// Some rows of a and some vectors of columns of b.
struct Tile {
  const Bf16* a;
  std::size_t a_stride;  // in pairs: from one row to the next or, by columns, one pair to the next
  const Bf16* b;         // [n_pairs, vectors]
  float* c;
  std::size_t c_stride;
  std::size_t n_pairs;
  std::size_t n_last;  // columns of the last vector
  const float* bias;   // of the columns, or null
  bool begins;         // c is not there yet
  bool is_bent;        // by slope, below zero
  float slope;
};

#if defined(LIPIZZ_AVX512_BF16)
LIPIZZ_AVX512_BF16 inline __m512bh pair_in_all_lanes(const Bf16* pair) {
  int bits = 0;
  std::memcpy(&bits, pair, sizeof bits);
  return reinterpret_cast<__m512bh>(_mm512_set1_epi32(bits));
}

template <std::size_t n_rows, std::size_t n_vectors, bool by_columns>
LIPIZZ_AVX512_BF16 void multiply_tile(const Tile& t) {
  __m512 sums[n_rows][n_vectors];
  const auto lanes_of = [&](std::size_t v) { return v + 1 < n_vectors ? kPairLanes : t.n_last; };
#pragma GCC unroll 8
  for (std::size_t r = 0; r < n_rows; ++r) {
#pragma GCC unroll 3
    for (std::size_t v = 0; v < n_vectors; ++v) {
      const __mmask16 lanes = first_lanes(lanes_of(v));
      sums[r][v] = _mm512_setzero_ps();
      if (!t.begins) {
        sums[r][v] = _mm512_maskz_loadu_ps(lanes, t.c + r * t.c_stride + v * kPairLanes);
      } else if (t.bias != nullptr) {
        sums[r][v] = _mm512_maskz_loadu_ps(lanes, t.bias + v * kPairLanes);
      }
    }
  }
  const Bf16* b = t.b;
  for (std::size_t i = 0; i < t.n_pairs; ++i, b += 2 * n_vectors * kPairLanes) {
    __m512bh columns[n_vectors];
#pragma GCC unroll 3
    for (std::size_t v = 0; v < n_vectors; ++v) {
      columns[v] = reinterpret_cast<__m512bh>(_mm512_loadu_si512(b + 2 * v * kPairLanes));
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < n_rows; ++r) {
      const std::size_t at = by_columns ? i * t.a_stride + r : r * t.a_stride + i;
      const __m512bh factor = pair_in_all_lanes(t.a + 2 * at);
#pragma GCC unroll 3
      for (std::size_t v = 0; v < n_vectors; ++v) {
        sums[r][v] = _mm512_dpbf16_ps(sums[r][v], factor, columns[v]);
      }
    }
  }
  const __m512 slope = _mm512_set1_ps(t.slope);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < n_rows; ++r) {
#pragma GCC unroll 3
    for (std::size_t v = 0; v < n_vectors; ++v) {
      if (t.is_bent) {
        const __mmask16 is_below = _mm512_cmp_ps_mask(sums[r][v], _mm512_setzero_ps(), _CMP_NGT_UQ);
        sums[r][v] = _mm512_mask_mul_ps(sums[r][v], is_below, sums[r][v], slope);
      }
      store_lanes(t.c + r * t.c_stride + v * kPairLanes, lanes_of(v), sums[r][v]);
    }
  }
}
#else
template <std::size_t n_rows, std::size_t n_vectors, bool by_columns>
void multiply_tile(const Tile&) {
  throw InternalError("this build has no products of pairs in bf16");
}
#endif

// Rows of a in pairs.
struct PairsOfRows {
  const Bf16* first;
  std::size_t stride;  // as a tile's
};

// Some rows and some columns of c, and some inner terms; none after the last.
struct Block {
  std::size_t row = 0, n_rows = 0;
  std::size_t column = 0, n_columns = 0;
  std::size_t term = 0, n_terms = 0;
};

// The second factor is packed a panel at a time, which is read while it is near, where no other
// block of rows reads it again.
bool packs_panels(const ProductSpec& spec) {
  return spec.rows <= kMostRows && !spec.is_b_packed;
}

// Calls with each block of a product and the one after it, those of the same columns and terms in
// turn.
template <class Call>
void for_each_block(const ProductSpec& spec, const Call& call) {
  const Parts pairs(n_pairs(spec.terms), kMostPairs);
  const Parts rows(spec.rows, kMostRows);
  const std::size_t n_vectors = in_whole_vectors(spec.columns) / kPairLanes;
  const Parts vectors(n_vectors, packs_panels(spec) ? n_vectors : kMostVectors);
  const std::size_t n_blocks = pairs.n_parts * vectors.n_parts * rows.n_parts;
  const auto block_at = [&](std::size_t index) {
    if (index == n_blocks) return Block{};
    const std::size_t j = index % rows.n_parts;
    const std::size_t k = index / rows.n_parts % vectors.n_parts;
    const std::size_t i = index / rows.n_parts / vectors.n_parts;
    const std::size_t row = rows.begin(j);
    const std::size_t column = kPairLanes * vectors.begin(k);
    const std::size_t term = 2 * pairs.begin(i);
    return Block{.row = row,
                 .n_rows = rows.begin(j + 1) - row,
                 .column = column,
                 .n_columns = std::min(kPairLanes * vectors.begin(k + 1), spec.columns) - column,
                 .term = term,
                 .n_terms = std::min(2 * pairs.begin(i + 1), spec.terms) - term};
  };
  Block next = block_at(0);
  for (std::size_t index = 0; index < n_blocks; ++index) {
    const Block block = std::exchange(next, block_at(index + 1));
    call(block, next);
  }
}

// Calls with the first and the last column of each panel of a block, and how many vectors it has.
template <class Call>
void for_each_panel(const Block& block, const Call& call) {
  for_each_part<kTileVectors>(in_whole_vectors(block.n_columns) / kPairLanes,
                              [&](std::size_t vector, auto n) {
                                const std::size_t begin = vector * kPairLanes;
                                call(begin, std::min(begin + n * kPairLanes, block.n_columns), n);
                              });
}

// Calls with a factor as what it is.
template <class Call>
void in_its_precision(const float* factor, bool is_rounded, const Call& call) {
  if (is_rounded) return call(reinterpret_cast<const Bf16*>(factor));
  call(factor);
}

// Some rows of a and some columns of b as they lie in memory.
template <class Number>
Terms<Number> rows_of(const ProductSpec& spec, const Number* a, const Block& block, std::size_t row,
                      std::size_t n_rows) {
  if (spec.transpose_a) return {a + block.term * spec.rows + row, spec.rows, block.n_terms, n_rows};
  return {a + row * spec.terms + block.term, spec.terms, block.n_terms, n_rows};
}
template <class Number>
Terms<Number> columns_of(const ProductSpec& spec, const Number* b, const Block& block,
                         std::size_t begin, std::size_t end) {
  const std::size_t column = block.column + begin;
  if (spec.transpose_b) {
    return {b + column * spec.terms + block.term, spec.terms, block.n_terms, end - begin};
  }
  return {b + block.term * spec.columns + column, spec.columns, block.n_terms, end - begin};
}

template <class Number>
void pack_columns(const ProductSpec& spec, const Number* b, const Block& block, std::size_t begin,
                  std::size_t end, Bf16* panel) {
  const auto pack = spec.transpose_b ? pack_pairs_of_columns<Number> : pack_pairs_of_rows<Number>;
  pack(columns_of(spec, b, block, begin, end), panel);
}
template <class Number>
void pack_rows(const ProductSpec& spec, const Number* a, const Block& block, Bf16* packed) {
  const auto pack = spec.transpose_a ? pack_pairs_of_rows<Number> : round_pairs<Number>;
  pack(rows_of(spec, a, block, block.row, block.n_rows), packed);
}

// True where the rows of a are pairs as they lie in memory.
bool are_rows_pairs(const ProductSpec& spec) {
  return spec.is_a_rounded && !spec.transpose_a && spec.terms % 2 == 0;
}

// Where a panel lies that begins with that column of a block, of all of b or of the block's.
std::size_t place_in_all(const ProductSpec& spec, const Block& block, std::size_t begin) {
  return block.term * in_whole_vectors(spec.columns) +
         2 * (block.column + begin) * n_pairs(block.n_terms);
}
std::size_t place_in_block(const ProductSpec& spec, const Block& block, std::size_t begin) {
  return packs_panels(spec) ? 0 : 2 * begin * n_pairs(block.n_terms);
}

// Parts of a matrix that are to be in the second cache soon.
struct Lines {
  const char* first = nullptr;
  std::size_t stride = 0;  // in bytes
  std::size_t n = 0;
  std::size_t n_bytes = 0;  // of each

  void fetch(std::size_t begin, std::size_t end) const {
    for (std::size_t line = begin; line < end; ++line) {
      const char* const from = first + line * stride;
      for (std::size_t i = 0; i < n_bytes; i += kCacheLine) __builtin_prefetch(from + i, 0, 2);
    }
  }
};

template <class Number>
Lines lines_of(const Terms<Number>& x, bool are_terms_by_rows) {
  const auto [n, n_numbers] =
      are_terms_by_rows ? std::pair(x.n_terms, x.n) : std::pair(x.n, x.n_terms);
  return {reinterpret_cast<const char*>(x.first), x.stride * sizeof(Number), n,
          n_numbers * sizeof(Number)};
}

// The next panel of b and the next rows of a, which are fetched while tiles are multiplied.
struct Next {
  Lines b;
  Lines a;
  std::size_t a_begin = 0, a_end = 0;  // of the lines of a

  // Step `begin` to `end` of n.
  void fetch(std::size_t begin, std::size_t end, std::size_t n) const {
    b.fetch(b.n * begin / n, b.n * end / n);
    const std::size_t n_a = a_end - a_begin;
    a.fetch(a_begin + n_a * begin / n, a_begin + n_a * end / n);
  }
};

// Fetches the results that are written next.
template <std::size_t n_vectors>
void fetch_results(const float* c, std::size_t stride, std::size_t n_rows) {
  for (std::size_t row = 0; row < n_rows; ++row, c += stride) {
    for (std::size_t v = 0; v < n_vectors; ++v) __builtin_prefetch(c + v * kPairLanes);
  }
}

// Some vectors of columns of all rows of a block.
template <bool by_columns, std::size_t n_vectors>
void multiply_panel(Tile tile, std::size_t n_rows, const Next& next) {
  const Tile first = tile;
  for_each_part<kTileRows>(n_rows, [&](std::size_t row, auto n) {
    next.fetch(row, row + n, n_rows);
    tile.a = first.a + 2 * row * (by_columns ? 1 : tile.a_stride);
    tile.c = first.c + row * tile.c_stride;
    const std::size_t n_next = std::min<std::size_t>(n, n_rows - row - n);
    fetch_results<n_vectors>(tile.c + n * tile.c_stride, tile.c_stride, n_next);
    multiply_tile<n, n_vectors, by_columns>(tile);
  });
}

template <class A, class B>
struct Operands {
  const A* a;
  const B* b;  // or all of it packed
  const float* bias;
  float* c;
  Bf16 *packed_a, *packed_b;  // of a block
};

template <class A, class B>
const Bf16* panel_of(const ProductSpec& spec, const Operands<A, B>& operands, const Block& block,
                     std::size_t begin) {
  if (!spec.is_b_packed) return operands.packed_b + place_in_block(spec, block, begin);
  return reinterpret_cast<const Bf16*>(operands.b) + place_in_all(spec, block, begin);
}

// The columns of a block's panel from `begin` on.
template <class Number>
Lines panel_lines(const ProductSpec& spec, const Number* b, const Block& block, std::size_t begin) {
  const std::size_t end = std::min(begin + kPanelColumns, block.n_columns);
  return lines_of(columns_of(spec, b, block, begin, end), !spec.transpose_b);
}

// True where a block is the first to read its part of b, and so packs it.
bool packs_b(const ProductSpec& spec, const Block& block) {
  return !spec.is_b_packed && block.row == 0;
}

// The panel that is packed after the one which ends there, of the same block or of the next.
template <class Number>
Lines next_panel(const ProductSpec& spec, const Number* b, const Block& block, const Block& next,
                 std::size_t end) {
  if (end < block.n_columns && packs_b(spec, block)) return panel_lines(spec, b, block, end);
  if (end == block.n_columns && packs_b(spec, next)) return panel_lines(spec, b, next, 0);
  return {};
}

// The rows of a of a block, packed if need be.
template <class A, class B>
PairsOfRows pairs_of_rows(const ProductSpec& spec, const Operands<A, B>& operands,
                          const Block& block) {
  if (are_rows_pairs(spec)) {
    const A* const first = operands.a + block.row * spec.terms + block.term;
    return {reinterpret_cast<const Bf16*>(first), spec.terms / 2};
  }
  pack_rows(spec, operands.a, block, operands.packed_a);
  return {operands.packed_a,
          spec.transpose_a ? in_whole_vectors(block.n_rows) : n_pairs(block.n_terms)};
}

template <class A, class B>
void multiply_block(const ProductSpec& spec, const Operands<A, B>& operands, const Block& block,
                    const Block& next_block) {
  const PairsOfRows rows = pairs_of_rows(spec, operands, block);
  const Lines next_a = lines_of(
      rows_of(spec, operands.a, next_block, next_block.row, next_block.n_rows), spec.transpose_a);
  const auto slope = slope_below_zero(spec.activation);
  const bool ends = block.term + block.n_terms == spec.terms;
  const std::size_t pairs = n_pairs(block.n_terms);
  Tile tile{.a = rows.first,
            .a_stride = rows.stride,
            .b = nullptr,
            .c = nullptr,
            .c_stride = spec.columns,
            .n_pairs = pairs,
            .n_last = 0,
            .bias = nullptr,
            .begins = block.term == 0 && !spec.adds,
            .is_bent = ends && slope && spec.activation != Activation::kNone,
            .slope = slope.value_or(1)};
  for_each_panel(block, [&](std::size_t begin, std::size_t end, auto n) {
    const Next next{.b = next_panel(spec, operands.b, block, next_block, end),
                    .a = next_a,
                    .a_begin = next_a.n * begin / block.n_columns,
                    .a_end = next_a.n * end / block.n_columns};
    if (packs_b(spec, block)) {
      pack_columns(spec, operands.b, block, begin, end,
                   operands.packed_b + place_in_block(spec, block, begin));
    }
    tile.b = panel_of(spec, operands, block, begin);
    tile.c = operands.c + block.row * spec.columns + block.column + begin;
    tile.n_last = end - begin - (n - 1) * kPairLanes;
    tile.bias = operands.bias == nullptr ? nullptr : operands.bias + block.column + begin;
    const auto multiply = spec.transpose_a ? multiply_panel<true, n> : multiply_panel<false, n>;
    multiply(tile, block.n_rows, next);
  });
}

}  // namespace

// A pair takes the room of a float.
const std::size_t Bf16Product::kMostWorkspace =
    (kMostRows + kMostVectors * kPairLanes) * kMostPairs;

std::size_t Bf16Product::n_block_of_a() const {
  return in_whole_vectors(Parts(spec_.rows, kMostRows).most()) *
         std::min(n_pairs(spec_.terms), kMostPairs);
}

std::size_t Bf16Product::n_block_of_b() const {
  if (spec_.is_b_packed) return 0;
  const std::size_t n_columns =
      packs_panels(spec_) ? kPanelColumns
                          : std::min(in_whole_vectors(spec_.columns), kMostVectors * kPairLanes);
  return n_columns * std::min(n_pairs(spec_.terms), kMostPairs);
}

std::size_t Bf16Product::n_workspace() const {
  return padded<float>(n_block_of_a()) + padded<float>(n_block_of_b());
}

void Bf16Product::run(const float* a, const float* b, const float* bias, float* c,
                      float* workspace) const {
  auto* const packed_a = reinterpret_cast<Bf16*>(workspace);
  auto* const packed_b = reinterpret_cast<Bf16*>(workspace + padded<float>(n_block_of_a()));
  in_its_precision(a, spec_.is_a_rounded, [&](const auto* of_a) {
    in_its_precision(b, spec_.is_b_rounded, [&](const auto* of_b) {
      const Operands operands{of_a, of_b, bias, c, packed_a, packed_b};
      for_each_block(spec_, [&](const Block& block, const Block& next) {
        multiply_block(spec_, operands, block, next);
      });
    });
  });
  finish_curve(spec_.activation, c, spec_.rows * spec_.columns);
}

void Bf16Product::pack_b(const float* b, float* packed) const {
  auto* const pairs = reinterpret_cast<Bf16*>(packed);
  in_its_precision(b, spec_.is_b_rounded, [&](const auto* of_b) {
    for_each_block(spec_, [&](const Block& block, const Block&) {
      if (block.row != 0) return;
      for_each_panel(block, [&](std::size_t begin, std::size_t end, auto) {
        pack_columns(spec_, of_b, block, begin, end, pairs + place_in_all(spec_, block, begin));
      });
    });
  });
}

}  // namespace lipizz::nn
