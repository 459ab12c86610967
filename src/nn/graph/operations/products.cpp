#include "nn/graph/operations/products.hpp"

#include "nn/graph/operations/broadcasting.hpp"
#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

// A matrix, the last two dimensions of a value, seen as transposed where that is asked for.
Shape seen(Shape matrix, bool is_transposed) {
  if (is_transposed) std::swap(matrix[matrix.size() - 1], matrix[matrix.size() - 2]);
  return matrix;
}

// The backward pass of products a b, each transposed where its attribute says so: products again.
template <const Operation& product>
void product_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId dy = *request.upstream;
  const bool ta = node.attributes.transpose_a;
  const bool tb = node.attributes.transpose_b;
  if (request.is_wanted(0)) {
    const ValueId b = node.inputs[1];
    request.give(0, ta ? g.apply(product, {b, dy}, {.transpose_a = tb, .transpose_b = true})
                       : g.apply(product, {dy, b}, {.transpose_b = !tb}));
  }
  if (request.is_wanted(1)) {
    const ValueId a = node.inputs[0];
    request.give(1, tb ? g.apply(product, {dy, a}, {.transpose_a = true, .transpose_b = ta})
                       : g.apply(product, {a, dy}, {.transpose_a = !ta}));
  }
}

// y = a b, each transposed where the attributes say so.
template <class T>
void multiply_matrices(const Attributes& how, const MatrixMap<T>& a, const MatrixMap<T>& b,
                       MatrixMap<T> y) {
  if (how.transpose_a && how.transpose_b) {
    y.noalias() = a.transpose() * b.transpose();
  } else if (how.transpose_a) {
    y.noalias() = a.transpose() * b;
  } else if (how.transpose_b) {
    y.noalias() = a * b.transpose();
  } else {
    y.noalias() = a * b;
  }
}

Shape linear_shape(Shapes in, const Attributes&) {
  require(in.size() == 3 && in[0].size() == 2 && in[1].size() == 2 && in[2].size() == 1 &&
              in[0][1] == in[1][0] && in[1][1] == in[2][0],
          "linear", in);
  return {in[0][0], in[1][1]};
}

void linear_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId dz = before_activation(g, *request.upstream, request.result);
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kMatmul, {dz, node.inputs[1]}, {.transpose_b = true}));
  }
  if (request.is_wanted(1)) {
    request.give(1, g.apply(kMatmul, {node.inputs[0], dz}, {.transpose_a = true}));
  }
  if (request.is_wanted(2)) request.give(2, g.apply(kSumRows, {dz}));
}

std::uint64_t linear_flops(Shapes in, const Attributes&) {
  return 2ULL * in[0][0] * in[0][1] * in[1][1];
}

std::vector<Example> linear_examples() {
  std::vector<Example> all;
  for (const std::uint32_t n : {1U, 3U, 17U, 100U}) {
    for (const std::uint32_t m : {1U, 5U, 64U}) {
      for (const ActivationEntry& entry : activations()) {
        all.push_back({{{{n, 37}}, {{37, m}}, {{m}}}, {.activation = entry.activation}});
      }
    }
  }
  return all;
}

Shape matmul_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0].size() == 2 && in[1].size() == 2, "matmul", in);
  const Shape a = seen(in[0], attributes.transpose_a);
  const Shape b = seen(in[1], attributes.transpose_b);
  require(a[1] == b[0], "matmul", in);
  return {a[0], b[1]};
}

std::uint64_t matmul_flops(Shapes in, const Attributes& attributes) {
  return 2 * n_elements(matmul_shape(in, attributes)) * seen(in[0], attributes.transpose_a)[1];
}

// Products of [rows, inner] and [inner, columns] with each transposed or not; `n` are put in front
// of the dimensions of batches.
std::vector<Example> product_examples(const Shape& n, std::uint32_t rows, std::uint32_t inner,
                                      std::uint32_t columns) {
  std::vector<Example> all;
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      Shape a = n;
      Shape b = n;
      a.insert(a.end(), {rows, inner});
      b.insert(b.end(), {inner, columns});
      all.push_back({{{seen(a, ta)}, {seen(b, tb)}}, {.transpose_a = ta, .transpose_b = tb}});
    }
  }
  return all;
}

std::vector<Example> matmul_examples() {
  std::vector<Example> all;
  for (const std::uint32_t n : {1U, 3U, 17U, 100U}) {
    for (const auto& [inner, columns] : {std::pair{7U, 9U}, {37U, 1U}, {1U, 37U}, {64U, 16U}}) {
      std::ranges::copy(product_examples({}, n, inner, columns), std::back_inserter(all));
    }
  }
  return all;
}

Shape batch_matmul_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0].size() == 3 && in[1].size() == 3, "batch_matmul", in);
  const Shape a = seen(in[0], attributes.transpose_a);
  const Shape b = seen(in[1], attributes.transpose_b);
  require(a[0] == b[0] && a[2] == b[1], "batch_matmul", in);
  return {a[0], a[1], b[2]};
}

std::uint64_t batch_matmul_flops(Shapes in, const Attributes& attributes) {
  return 2 * n_elements(batch_matmul_shape(in, attributes)) *
         seen(in[0], attributes.transpose_a)[2];
}

template <class T>
void batch_matmul(const Values<T>& v) {
  const auto one = [](T* data, const Shape& shape, std::size_t which) {
    const std::size_t size = std::size_t{shape[1]} * shape[2];
    return Values<T>::template map<MatrixMap<T>>(data + which * size, shape[1], shape[2]);
  };
  for (std::size_t i = 0; i < v.shape()[0]; ++i) {
    multiply_matrices(v.attributes(), one(v.data(0), v.shape(0), i), one(v.data(1), v.shape(1), i),
                      one(v.data(), v.shape(), i));
  }
}

std::vector<Example> batch_matmul_examples() {
  std::vector<Example> all = product_examples({3}, 5, 7, 19);
  std::ranges::copy(product_examples({1}, 1, 1, 1), std::back_inserter(all));
  std::ranges::copy(product_examples({2}, 64, 33, 16), std::back_inserter(all));
  return all;
}

}  // namespace

constinit const Operation kLinear{
    .name = "linear",
    .summary = "x [N, in], W [in, out], b [out] -> activation(x W + b) [N, out]",
    .shape = linear_shape,
    .gradient = linear_gradient,
    .flops = linear_flops,
    .reference = reference([](const auto& v) {
      v.matrix().noalias() = v.matrix(0) * v.matrix(1);
      finish_product(v);
    }),
    .examples = linear_examples};
constinit const Operation kMatmul{
    .name = "matmul",
    .summary = "a, b -> a b (a gemm), each transposed where its attribute says so",
    .shape = matmul_shape,
    .gradient = product_gradient<kMatmul>,
    .flops = matmul_flops,
    .reference = reference([](const auto& v) {
      multiply_matrices(v.attributes(), v.matrix(0), v.matrix(1), v.matrix());
    }),
    .examples = matmul_examples};
constinit const Operation kBatchMatmul{
    .name = "batch_matmul",
    .summary =
        "a, b [B, ...] -> their products one by one (a batched gemm), each transposed where "
        "its attribute says so",
    .shape = batch_matmul_shape,
    .gradient = product_gradient<kBatchMatmul>,
    .flops = batch_matmul_flops,
    .reference = reference([](const auto& v) { batch_matmul(v); }),
    .examples = batch_matmul_examples};

std::span<const Operation* const> products_operations() {
  static constexpr const Operation* kAll[] = {&kLinear, &kMatmul, &kBatchMatmul};
  return kAll;
}

}  // namespace lipizz::nn
