#include "nn/cpu/blocked_product.hpp"

#include <algorithm>
#include <utility>

#include "nn/base/buffer.hpp"
#include "nn/cpu/bf16.hpp"
#include "nn/cpu/constant_parts.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/line_fetcher.hpp"
#include "nn/cpu/product_tile.hpp"

namespace lipizz::nn {
namespace {

// Rows and vectors of columns of a block, so that its factors stay in the second cache.
constexpr std::size_t kMostRows = 128;
constexpr std::size_t kMostVectors = 24;

// So few rows that a panel which they have read is not worth keeping: they are a block of their
// own.
constexpr std::size_t kFewRows = 208;

// Columns at a time of a product that is computed transposed.
constexpr std::size_t kMostTransposed = 256;

constexpr std::size_t kPanelColumns = kTileVectors * kVectorLanes;

// Parts of n, as equal as they can be.
struct Parts {
  std::size_t n, n_parts;

  Parts(std::size_t n_all, std::size_t most) : n(n_all), n_parts((n_all + most - 1) / most) {}
  [[nodiscard]] std::size_t begin(std::size_t part) const { return part * n / n_parts; }
  [[nodiscard]] std::size_t most() const { return (n + n_parts - 1) / n_parts; }
};

// Rows of a, or columns of b, in steps.
struct InSteps {
  const float* first;
  std::size_t stride;  // as a tile's
};

// Some rows and some columns of c, and some inner terms; none after the last.
struct Block {
  std::size_t row = 0, n_rows = 0;
  std::size_t column = 0, n_columns = 0;
  std::size_t term = 0, n_terms = 0;
};

// How tiles get the second factor.
enum class Panels {
  kGiven,    // it was packed before
  kInPlace,  // where it lies
  kInTurn,   // packed one after the other, each in the place of the one before
  kKept,     // packed for all blocks of rows
};

template <class Step>
Panels panels_of(const ProductSpec& spec) {
  if (spec.is_b_packed) return Panels::kGiven;
  if (spec.rows > kFewRows) return Panels::kKept;
  const bool are_rows_vectors = !spec.transpose_b && spec.columns % kVectorLanes == 0;
  return Step::kTerms == 1 && are_rows_vectors ? Panels::kInPlace : Panels::kInTurn;
}

// The parts into which a product is cut.
struct Cuts {
  Parts steps, rows, vectors;
};

template <class Step>
Cuts cuts_of(const ProductSpec& spec) {
  const Panels panels = panels_of<Step>(spec);
  const std::size_t n_vectors = in_whole_vectors(spec.columns) / kVectorLanes;
  const bool is_one_block = panels == Panels::kInPlace || panels == Panels::kInTurn;
  return {Parts(n_steps<Step>(spec.terms), BlockedProduct::kMostSteps),
          Parts(spec.rows, is_one_block ? spec.rows : kMostRows),
          Parts(n_vectors, is_one_block ? n_vectors : kMostVectors)};
}

// Calls with each block of a product and the one after it, those of the same columns and terms in
// turn.
template <class Step, class Call>
void for_each_block(const ProductSpec& spec, const Call& call) {
  const auto [steps, rows, vectors] = cuts_of<Step>(spec);
  const std::size_t n_blocks = steps.n_parts * vectors.n_parts * rows.n_parts;
  const auto block_at = [&](std::size_t index) {
    if (index == n_blocks) return Block{};
    const std::size_t j = index % rows.n_parts;
    const std::size_t k = index / rows.n_parts % vectors.n_parts;
    const std::size_t i = index / rows.n_parts / vectors.n_parts;
    const std::size_t row = rows.begin(j);
    const std::size_t column = kVectorLanes * vectors.begin(k);
    const std::size_t term = Step::kTerms * steps.begin(i);
    return Block{.row = row,
                 .n_rows = rows.begin(j + 1) - row,
                 .column = column,
                 .n_columns = std::min(kVectorLanes * vectors.begin(k + 1), spec.columns) - column,
                 .term = term,
                 .n_terms = std::min(Step::kTerms * steps.begin(i + 1), spec.terms) - term};
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
  for_each_part<kTileVectors>(in_whole_vectors(block.n_columns) / kVectorLanes,
                              [&](std::size_t vector, auto n) {
                                const std::size_t begin = vector * kVectorLanes;
                                call(begin, std::min(begin + n * kVectorLanes, block.n_columns), n);
                              });
}

// Calls with a factor as what it is.
template <class Step, class Call>
void in_its_precision(const float* factor, bool is_rounded, const Call& call) {
  if constexpr (Step::kTerms > 1) {
    if (is_rounded) return call(reinterpret_cast<const Bf16*>(factor));
  }
  call(factor);
}

// Some rows of a and some columns of b as they lie in memory.
template <class Number>
Terms<Number> rows_of(const ProductSpec& spec, const Number* a, const Block& block) {
  const std::size_t stride = (spec.transpose_a ? spec.rows : spec.terms) + spec.gap;
  const std::size_t first =
      spec.transpose_a ? block.term * stride + block.row : block.row * stride + block.term;
  return {a + first, stride, block.n_terms, block.n_rows};
}
template <class Number>
Terms<Number> columns_of(const ProductSpec& spec, const Number* b, const Block& block,
                         std::size_t begin, std::size_t end) {
  const std::size_t column = block.column + begin;
  const std::size_t stride = (spec.transpose_b ? spec.terms : spec.columns) + spec.gap;
  const std::size_t first =
      spec.transpose_b ? column * stride + block.term : block.term * stride + column;
  return {b + first, stride, block.n_terms, end - begin};
}

// Packs columns of b, all of their terms or some, into a panel of that width.
template <class Step, class Number>
void pack_panel(const ProductSpec& spec, const Terms<Number>& columns, float* panel,
                std::size_t width, bool past_caches = false) {
  if (!spec.transpose_b) return pack_rows<Step>(columns, panel, past_caches);
  pack_columns<Step>(columns, panel, width, past_caches);
}

// Where a panel lies that begins with that column of a block, of all of b or of the block's.
template <class Step>
std::size_t place_in_all(const ProductSpec& spec, const Block& block, std::size_t begin) {
  return block.term / Step::kTerms * in_whole_vectors(spec.columns) +
         (block.column + begin) * n_steps<Step>(block.n_terms);
}
template <class Step>
std::size_t place_in_block(const Block& block, std::size_t begin) {
  return begin * n_steps<Step>(block.n_terms);
}

// Some rows of b as they lie in memory.
template <class Number>
struct RowsOfB {
  const Number* numbers;
  std::size_t first, n;
  bool past_caches;  // as pack_b() has it
};

// Packs those rows that a panel has, in bf16.
template <class Number>
void pack_rows_of_panel(const ProductSpec& spec, const RowsOfB<Number>& rows, const Block& block,
                        std::size_t begin, std::size_t end, float* panel) {
  const std::size_t width = in_whole_vectors(end - begin);
  const std::size_t column = block.column + begin;
  const std::size_t first = spec.transpose_b ? column : block.term;
  const std::size_t n = spec.transpose_b ? end - begin : block.n_terms;
  const std::size_t from = std::max(first, rows.first);
  const std::size_t to = std::min(first + n, rows.first + rows.n);
  if (from >= to) return;
  const std::size_t stride = (spec.transpose_b ? spec.terms : spec.columns) + spec.gap;
  const Number* const row = rows.numbers + (from - rows.first) * stride;
  const Terms<Number> columns =
      spec.transpose_b ? Terms<Number>{row + block.term, stride, block.n_terms, to - from}
                       : Terms<Number>{row + column, stride, to - from, end - begin};
  panel += spec.transpose_b ? from - first : n_steps<Pair>(from - first) * width;
  pack_panel<Pair>(spec, columns, panel, width, rows.past_caches);
}

template <class Number>
Lines lines_of(const Terms<Number>& x, bool are_terms_by_rows) {
  const auto [n, n_numbers] =
      are_terms_by_rows ? std::pair(x.n_terms, x.n) : std::pair(x.n, x.n_terms);
  return {.first = reinterpret_cast<const char*>(x.first),
          .stride = x.stride * sizeof(Number),
          .n_bytes = n_numbers * sizeof(Number),
          .n = n};
}

// Fetches the results that are written next.
template <std::size_t n_vectors>
void fetch_results(const float* c, std::size_t stride, std::size_t n_rows) {
  for (std::size_t row = 0; row < n_rows; ++row, c += stride) {
    for (std::size_t v = 0; v < n_vectors; ++v) __builtin_prefetch(c + v * kVectorLanes);
  }
}

// Some vectors of columns of all rows of a block.
template <class Step, bool by_columns, std::size_t n_vectors>
void multiply_panel(ProductTile tile, std::size_t n_rows, const Lines& next_a,
                    const Lines& next_b) {
  const ProductTile first = tile;
  const std::size_t n_times =
      (n_rows + kTileRows - 1) / kTileRows * ((tile.n_steps + kStepsToFetch - 1) / kStepsToFetch);
  LineFetcher of_a(next_a, n_times);
  LineFetcher of_b(next_b, n_times);
  tile.of_a = &of_a;
  tile.of_b = &of_b;
  for_each_part<kTileRows>(n_rows, [&](std::size_t row, auto n) {
    tile.a = first.a + row * (by_columns ? 1 : tile.a_stride);
    tile.c = first.c + row * tile.c_stride;
    tile.before = first.before + row * tile.before_stride;
    const std::size_t n_next = std::min<std::size_t>(n, n_rows - row - n);
    if (n_next > 0) {
      fetch_results<n_vectors>(tile.c + n * tile.c_stride, tile.c_stride, n_next);
    }
    multiply_tile<Step, n, n_vectors, by_columns>(tile);
  });
}

template <class A, class B>
struct Operands {
  const A* a;
  const B* b;  // or all of it packed
  const float* bias;
  float* c;
  float *packed_a, *packed_b;  // of a block
};

// The panel of a block from `begin` to `end`, packed if need be.
template <class Step, class A, class B>
InSteps panel_of(const ProductSpec& spec, const Operands<A, B>& operands, const Block& block,
                 std::size_t begin, std::size_t end) {
  const Panels panels = panels_of<Step>(spec);
  const std::size_t width = in_whole_vectors(end - begin);
  if (panels == Panels::kGiven) {
    const auto* const all = reinterpret_cast<const float*>(operands.b);
    return {all + place_in_all<Step>(spec, block, begin), width};
  }
  const Terms<B> columns = columns_of(spec, operands.b, block, begin, end);
  if (panels == Panels::kInPlace) {
    return {reinterpret_cast<const float*>(columns.first), columns.stride};
  }
  const bool is_kept = panels == Panels::kKept;
  float* const packed = operands.packed_b + (is_kept ? place_in_block<Step>(block, begin) : 0);
  if (block.row == 0) pack_panel<Step>(spec, columns, packed, width);
  return {packed, width};
}

// The columns of a block's panel from `begin` on.
template <class Number>
Lines panel_lines(const ProductSpec& spec, const Number* b, const Block& block, std::size_t begin) {
  const std::size_t end = std::min(begin + kPanelColumns, block.n_columns);
  return lines_of(columns_of(spec, b, block, begin, end), !spec.transpose_b);
}

// The panel that is read from its own place after the one which ends there, of the same block or of
// the next.
template <class Number>
Lines next_panel(const ProductSpec& spec, const Number* b, const Block& block, const Block& next,
                 std::size_t end) {
  const auto reads = [&](const Block& of) { return !spec.is_b_packed && of.row == 0; };
  if (end < block.n_columns && reads(block)) return panel_lines(spec, b, block, end);
  if (end == block.n_columns && reads(next)) return panel_lines(spec, b, next, 0);
  return {};
}

// True where the rows of a are steps as they lie in memory.
template <class Step, class A>
bool are_rows_steps(const ProductSpec& spec) {
  if (Step::kTerms == 1) return true;
  return !spec.transpose_a && sizeof(A) == sizeof(Bf16) && spec.terms % Step::kTerms == 0;
}

// The rows of a of a block, packed if need be.
template <class Step, class A>
InSteps steps_of_rows(const ProductSpec& spec, const Terms<A>& rows, float* packed) {
  if (are_rows_steps<Step, A>(spec)) {
    return {reinterpret_cast<const float*>(rows.first), rows.stride / Step::kTerms};
  }
  if (spec.transpose_a) {
    pack_rows<Step>(rows, packed);
    return {packed, in_whole_vectors(rows.n)};
  }
  round_pairs(rows, packed);
  return {packed, n_steps<Step>(rows.n_terms)};
}

template <class Step, class A, class B>
void multiply_block(const ProductSpec& spec, const Operands<A, B>& operands, const Block& block,
                    const Block& next_block) {
  const InSteps rows =
      steps_of_rows<Step>(spec, rows_of(spec, operands.a, block), operands.packed_a);
  const Lines next_a = lines_of(rows_of(spec, operands.a, next_block), spec.transpose_a);
  const auto slope = slope_below_zero(spec.activation);
  const bool ends = block.term + block.n_terms == spec.terms;
  const std::size_t stride = spec.columns + spec.gap;
  ProductTile tile{.a = rows.first,
                   .a_stride = rows.stride,
                   .b = nullptr,
                   .b_stride = 0,
                   .c = nullptr,
                   .c_stride = stride,
                   .n_steps = n_steps<Step>(block.n_terms),
                   .n_last = 0,
                   .before = nullptr,
                   .before_stride = 0,
                   .is_bent = ends && slope && spec.activation != Activation::kNone,
                   .slope = slope.value_or(1),
                   .of_a = nullptr,
                   .of_b = nullptr};
  for_each_panel(block, [&](std::size_t begin, std::size_t end, auto n) {
    const InSteps panel = panel_of<Step>(spec, operands, block, begin, end);
    tile.b = panel.first;
    tile.b_stride = panel.stride;
    tile.c = operands.c + block.row * stride + block.column + begin;
    tile.n_last = end - begin - (n - 1) * kVectorLanes;
    if (block.term > 0 || spec.adds) {
      tile.before = tile.c;
      tile.before_stride = tile.c_stride;
    } else if (operands.bias != nullptr) {
      tile.before = operands.bias + block.column + begin;
    }
    const auto multiply =
        spec.transpose_a ? multiply_panel<Step, true, n> : multiply_panel<Step, false, n>;
    multiply(tile, block.n_rows, next_a.share(begin, end, block.n_columns),
             next_panel(spec, operands.b, block, next_block, end));
  });
}

// Floats of a block's steps of a and of b.
template <class Step>
std::size_t n_block_of_a(const ProductSpec& spec) {
  if (are_rows_steps<Step, float>(spec)) return 0;
  const Cuts cuts = cuts_of<Step>(spec);
  return cuts.steps.most() * in_whole_vectors(cuts.rows.most());
}
template <class Step>
std::size_t n_block_of_b(const ProductSpec& spec) {
  const Cuts cuts = cuts_of<Step>(spec);
  const std::size_t n_columns = cuts.vectors.most() * kVectorLanes;
  switch (panels_of<Step>(spec)) {
    case Panels::kGiven:
    case Panels::kInPlace:
      return 0;
    case Panels::kInTurn:
      return cuts.steps.most() * std::min(n_columns, kPanelColumns);
    case Panels::kKept:
      break;
  }
  return cuts.steps.most() * n_columns;
}
template <class Step>
std::size_t n_blocks(const ProductSpec& spec) {
  return padded<float>(n_block_of_a<Step>(spec)) + padded<float>(n_block_of_b<Step>(spec));
}

template <class Step>
void run_in_blocks(const ProductSpec& spec, const float* a, const float* b, const float* bias,
                   float* c, float* workspace) {
  float* const packed_b = workspace + padded<float>(n_block_of_a<Step>(spec));
  in_its_precision<Step>(a, spec.is_a_rounded, [&]<class A>(const A* of_a) {
    in_its_precision<Step>(b, spec.is_b_rounded, [&]<class B>(const B* of_b) {
      const Operands<A, B> operands{of_a, of_b, bias, c, workspace, packed_b};
      for_each_block<Step>(spec, [&](const Block& block, const Block& next) {
        multiply_block<Step>(spec, operands, block, next);
      });
    });
  });
}

// True where fewer numbers change places when a and c do, and b, whose rows are columns, is read
// where it lies; not where the rows of a would leave lanes without work.
template <class Step>
bool is_better_transposed(const ProductSpec& spec) {
  const bool is_plain = !spec.adds && !spec.has_bias && spec.activation == Activation::kNone;
  return Step::kTerms == 1 && is_plain && spec.transpose_b && !spec.transpose_a &&
         spec.rows <= kFewRows && spec.rows % kVectorLanes == 0 &&
         spec.rows * (spec.terms + spec.columns) < spec.terms * spec.columns;
}

// Some columns of such a product as rows: b a^T.
ProductSpec transposed(const ProductSpec& spec, std::size_t n_columns) {
  return {.rows = n_columns,
          .columns = spec.rows,
          .terms = spec.terms,
          .transpose_b = true,
          .gap = spec.gap};
}

void run_transposed(const ProductSpec& spec, const float* a, const float* b, float* c,
                    float* workspace) {
  const Parts parts(spec.columns, kMostTransposed);
  const std::size_t stride = spec.rows + spec.gap;
  float* const blocks = workspace + padded<float>(parts.most() * stride);
  for (std::size_t i = 0; i < parts.n_parts; ++i) {
    const std::size_t begin = parts.begin(i);
    const std::size_t n = parts.begin(i + 1) - begin;
    run_in_blocks<Single>(transposed(spec, n), b + begin * (spec.terms + spec.gap), a, nullptr,
                          workspace, blocks);
    transpose({workspace, stride, spec.rows, n}, c + begin, spec.columns + spec.gap);
  }
}

// Calls with the step of a precision.
template <class Call>
auto with_step(Precision precision, const Call& call) {
  return precision == Precision::kBf16 ? call(Pair()) : call(Single());
}

}  // namespace

const std::size_t BlockedProduct::kMostWorkspace =
    (kMostRows + kMostVectors * kVectorLanes) * kMostSteps;

std::size_t BlockedProduct::n_workspace() const {
  return with_step(precision_, [&]<class Step>(Step) {
    if (!is_better_transposed<Step>(spec_)) return n_blocks<Step>(spec_);
    const std::size_t n_columns = Parts(spec_.columns, kMostTransposed).most();
    return padded<float>(n_columns * (spec_.rows + spec_.gap)) +
           n_blocks<Step>(transposed(spec_, n_columns));
  });
}

void BlockedProduct::run(const float* a, const float* b, const float* bias, float* c,
                         float* workspace) const {
  with_step(precision_, [&]<class Step>(Step) {
    if (is_better_transposed<Step>(spec_)) return run_transposed(spec_, a, b, c, workspace);
    run_in_blocks<Step>(spec_, a, b, bias, c, workspace);
  });
  finish_curve(spec_.activation, c, spec_.rows * spec_.columns);
}

void BlockedProduct::pack_b(const float* rows, std::size_t first, std::size_t n, float* packed,
                            bool past_caches) const {
  in_its_precision<Pair>(rows, spec_.is_b_rounded, [&](const auto* numbers) {
    for_each_block<Pair>(spec_, [&](const Block& block, const Block&) {
      if (block.row != 0) return;
      for_each_panel(block, [&](std::size_t begin, std::size_t end, auto) {
        pack_rows_of_panel(spec_, RowsOfB{numbers, first, n, past_caches}, block, begin, end,
                           packed + place_in_all<Pair>(spec_, block, begin));
      });
    });
  });
  const std::size_t n_rows = spec_.transpose_b ? spec_.columns : spec_.terms;
  if (past_caches && first + n == n_rows) finish_stores();
}

}  // namespace lipizz::nn
