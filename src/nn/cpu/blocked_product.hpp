#pragma once

#include <cstddef>

#include "nn/base/activation.hpp"
#include "nn/base/precision.hpp"
#include "nn/cpu/panel_packing.hpp"

namespace lipizz::nn {

/// c = activation(a b + bias), or c += a b. A factor that is transposed lies in memory as the other
/// comment says.
struct ProductSpec {
  std::size_t rows, columns, terms;
  bool transpose_a = false;  // [terms, rows], else [rows, terms]
  bool transpose_b = false;  // [columns, terms], else [terms, columns]
  bool has_bias = false;     // [columns]
  Activation activation = Activation::kNone;
  bool adds = false;         // to what c is; then without bias and activation
  bool is_b_packed = false;  // by BlockedProduct::pack_b(), in bf16; says nothing where it is not
  // Floats between the end of each row of a, b and c as they lie in memory and the next, at most
  // kMostGap; none where factors are in bf16, or an activation follows.
  std::size_t gap = 0;
  // A factor is numbers in bf16 already, for a BlockedProduct alone; as b is, so is what pack_b()
  // gets.
  bool is_a_rounded = false;
  bool is_b_rounded = false;

  static constexpr std::size_t kMostGap = 64;
};

/// A product in single precision, or one whose factors are rounded to bf16 and all else is in
/// single precision, in steps that this build and processor have (has_steps()). The order is
/// defined: the steps of a result's inner terms are cut into as few parts of at most kMostSteps as
/// there can be, as equal as they can be, and every part adds its terms up from zero, from the
/// first to the last, each multiplied and added with one rounding. In bf16 it adds them in pairs,
/// and of each pair the second term before the first, as the makers of the instruction define it.
/// The sums of the parts are added to the bias or to c, one after the other.
///
/// Factors are multiplied in blocks that stay in the second cache, panel by panel (Goto and van de
/// Geijn, Anatomy of High-Performance Matrix Multiplication, 2008). In single precision the first
/// one is read where it lies, and so is the second one where few rows of results share it and its
/// rows are whole vectors; or the second one alone, where the product is better computed
/// transposed. All else is packed.
class BlockedProduct {
 public:
  /// Steps of a part: a panel of so many takes 48 KB, which stay in a first cache or near it.
  static constexpr std::size_t kMostSteps = 256;

  /// Floats of workspace that no product exceeds.
  static const std::size_t kMostWorkspace;

  BlockedProduct(const ProductSpec& spec, Precision precision)
      : spec_(spec), precision_(precision) {
    spec_.is_b_packed &= precision == Precision::kBf16;
  }

  /// True where the second factor is given packed.
  [[nodiscard]] bool is_b_packed() const { return spec_.is_b_packed; }

  /// Floats of workspace that a run needs.
  [[nodiscard]] std::size_t n_workspace() const;

  /// a, b, c as the specification says; bias is null where it has none.
  void run(const float* a, const float* b, const float* bias, float* c, float* workspace) const;

  /// Floats that pack_b() writes of a second factor [terms, columns] in bf16.
  static std::size_t n_packed_b(std::size_t terms, std::size_t columns) {
    return n_steps<Pair>(terms) * in_whole_vectors(columns);
  }
  /// Packs n rows of a second factor as it lies in memory, which begin at `rows`, from row `first`
  /// on, for several runs in bf16, where the specification says so. `first` is a multiple of
  /// kVectorLanes, and so is n but for the last rows, which are packed last. Numbers in bf16 are
  /// given as the floats whose place they take, here and to run(). A factor that is read much later
  /// may be stored past the caches; then `packed` is the beginning of a cache line.
  void pack_b(const float* rows, std::size_t first, std::size_t n, float* packed,
              bool past_caches = false) const;

 private:
  ProductSpec spec_;
  Precision precision_;
};

}  // namespace lipizz::nn
