#include "nn/cpu/matrix_product.hpp"

#include <utility>

#include "core/error.hpp"
#include "nn/cpu/bf16.hpp"
#include "nn/cpu/onednn_engine.hpp"
#include "nn/cpu/panel_packing.hpp"

namespace lipizz::nn {
namespace {

Product onednn_product(const ProductSpec& s, DataType type) {
  const auto operand = [&](std::size_t rows, std::size_t columns, bool is_transposed,
                           DataType kind) {
    if (is_transposed) std::swap(rows, columns);  // as it lies in memory
    return matrix(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
                  is_transposed, kind, static_cast<std::int64_t>(s.gap));
  };
  const auto result = operand(s.rows, s.columns, false, DataType::f32);
  return {operand(s.rows, s.terms, s.transpose_a, type),
          operand(s.terms, s.columns, s.transpose_b, type),
          result,
          s.has_bias,
          s.activation,
          s.adds};
}

std::variant<Product, RoundedProduct, BlockedProduct> product_of(const ProductSpec& spec,
                                                                 Precision precision) {
  if (spec.gap > ProductSpec::kMostGap ||
      (spec.gap != 0 && (precision == Precision::kBf16 || spec.activation != Activation::kNone))) {
    throw InternalError("no such gaps between the rows of a product");
  }
  const bool is_in_blocks = has_steps(onednn_level(), precision);
  const bool is_of_pairs = is_in_blocks && precision == Precision::kBf16;
  if ((spec.is_a_rounded || spec.is_b_rounded) && !is_of_pairs) {
    throw InternalError("no product but that of pairs has such factors");
  }
  if (is_in_blocks) return BlockedProduct(spec, precision);
  if (precision != Precision::kBf16) return onednn_product(spec, DataType::f32);
  try {
    return RoundedProduct(spec);
  } catch (const dnnl::error& error) {
    if (error.status != dnnl_unimplemented) throw;
    return onednn_product(spec, DataType::f32);
  }
}

}  // namespace

RoundedProduct::RoundedProduct(const ProductSpec& spec)
    : n_a_(spec.rows * spec.terms),
      n_b_(spec.terms * spec.columns),
      product_(onednn_product(spec, DataType::bf16)) {}

std::size_t RoundedProduct::n_workspace(std::size_t n_a, std::size_t n_b) {
  return n_floats_of_bf16(n_a) + n_floats_of_bf16(n_b);
}

void RoundedProduct::run(const float* a, const float* b, const float* bias, float* c,
                         float* workspace) {
  auto* const rounded_a = reinterpret_cast<Bf16*>(workspace);
  auto* const rounded_b = reinterpret_cast<Bf16*>(workspace + n_floats_of_bf16(n_a_));
  round_to_bf16(a, rounded_a, n_a_);
  round_to_bf16(b, rounded_b, n_b_);
  product_.run(rounded_a, rounded_b, bias, c);
}

MatrixProduct::MatrixProduct(const ProductSpec& spec, Precision precision)
    : product_(product_of(spec, precision)) {}

std::size_t MatrixProduct::n_workspace() const {
  if (const auto* rounded = std::get_if<RoundedProduct>(&product_)) return rounded->n_workspace();
  if (const auto* blocked = std::get_if<BlockedProduct>(&product_)) return blocked->n_workspace();
  return 0;
}

std::size_t MatrixProduct::n_workspace(const ProductSpec& spec, NumericsLevel level,
                                       Precision precision) {
  if (has_steps(level, precision)) return BlockedProduct(spec, precision).n_workspace();
  if (precision != Precision::kBf16) return 0;
  return RoundedProduct::n_workspace(spec.rows * spec.terms, spec.terms * spec.columns);
}

bool MatrixProduct::is_b_packed() const {
  const auto* const blocked = std::get_if<BlockedProduct>(&product_);
  return blocked != nullptr && blocked->is_b_packed();
}

void MatrixProduct::pack_b(const float* rows, std::size_t first, std::size_t n, float* packed,
                           bool past_caches) const {
  std::get<BlockedProduct>(product_).pack_b(rows, first, n, packed, past_caches);
}

void MatrixProduct::run(const float* a, const float* b, const float* bias, float* c,
                        float* workspace) {
  if (auto* const plain = std::get_if<Product>(&product_)) return plain->run(a, b, bias, c);
  if (auto* const rounded = std::get_if<RoundedProduct>(&product_)) {
    return rounded->run(a, b, bias, c, workspace);
  }
  std::get<BlockedProduct>(product_).run(a, b, bias, c, workspace);
}

}  // namespace lipizz::nn
