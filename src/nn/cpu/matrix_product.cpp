#include "nn/cpu/matrix_product.hpp"

#include "nn/cpu/onednn_engine.hpp"

namespace lipizz::nn {
namespace {

Product in_single_precision(const ProductSpec& s) {
  const auto size = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  const auto operand = [&](std::size_t rows, std::size_t columns, bool is_transposed) {
    return is_transposed ? matrix(size(columns), size(rows), true)
                         : matrix(size(rows), size(columns));
  };
  return {operand(s.rows, s.terms, s.transpose_a),
          operand(s.terms, s.columns, s.transpose_b),
          matrix(size(s.rows), size(s.columns)),
          s.has_bias,
          s.activation,
          s.adds};
}

std::variant<Product, Bf16Product> product_of(const ProductSpec& spec, Precision precision) {
  const bool is_in_pairs =
      precision == Precision::kBf16 && onednn_level() == NumericsLevel::kAvx512Bf16;
  if (is_in_pairs) return Bf16Product(spec);
  return in_single_precision(spec);
}

}  // namespace

MatrixProduct::MatrixProduct(const ProductSpec& spec, Precision precision)
    : product_(product_of(spec, precision)) {}

const float* MatrixProduct::packed_b(const float* b, float* packed) const {
  const auto* const pairs = std::get_if<Bf16Product>(&product_);
  if (pairs == nullptr) return b;
  pairs->pack_b(b, packed);
  return packed;
}

void MatrixProduct::run(const float* a, const float* b, const float* bias, float* c,
                        float* workspace) {
  if (auto* const pairs = std::get_if<Bf16Product>(&product_)) {
    pairs->run(a, b, bias, c, workspace);
  } else {
    std::get<Product>(product_).run(a, b, bias, c);
  }
}

}  // namespace lipizz::nn
