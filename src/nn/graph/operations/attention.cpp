#include "nn/graph/operations.hpp"
#include "nn/graph/operations/scaling.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

// [B, rows, columns], seen as transposed where it is asked for.
Shape seen(const Shape& matrix, bool is_transposed) {
  return is_transposed ? Shape{matrix[0], matrix[2], matrix[1]} : matrix;
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

Shape softmax_shape(Shapes in, const Attributes&) {
  require(in.size() == 1 && !in[0].empty(), "softmax", in);
  return in[0];
}

void softmax_rule(const GradientRequest& request) {
  if (!request.is_wanted(0)) return;
  request.give(0, request.graph.apply(kSoftmaxGradient, {*request.upstream, request.result}));
}

Shape softmax_gradient_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0] == in[1], "softmax_gradient", in);
  return in[0];
}

// dx = y (dy - <dy, y>), symmetric in dy and what multiplies it; <> sums over the last extent.
void softmax_gradient_rule(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId h = *request.upstream;
  const ValueId dy = node.inputs[0];
  const ValueId y = node.inputs[1];
  if (request.is_wanted(0)) request.give(0, g.apply(kSoftmaxGradient, {h, y}));
  if (!request.is_wanted(1)) return;
  // h dy - h <dy, y> - dy <h, y>
  const Shape shape = g.shape(y);
  const auto n_rows = static_cast<std::uint32_t>(n_elements(shape) / shape.back());
  const auto product_with_y = [&](ValueId v) {
    return row_products(g, g.reshape(v, {n_rows, shape.back()}),
                        g.reshape(y, {n_rows, shape.back()}));
  };
  const auto scaled = [&](ValueId v, ValueId factors) {
    const auto n = static_cast<std::uint32_t>(n_elements(shape));
    const ValueId column = g.reshape(v, {n, 1});
    const ValueId negative =
        g.apply(kScaleRows, {factors, g.apply(kFill, {}, {.shape = {1, 1}, .number = -1})});
    return g.reshape(g.apply(kScaleRows, {column, negative}), shape);
  };
  const ValueId rest =
      g.apply(kAdd, {scaled(h, product_with_y(dy)), scaled(dy, product_with_y(h))});
  request.give(1, g.apply(kAdd, {multiply(g, h, dy), rest}));
}

std::uint64_t softmax_flops(Shapes in, const Attributes&) {
  return 4ULL * n_elements(in[0]);
}

Shape embedding_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0].size() == 1 && in[1].size() == 2, "embedding", in);
  return {in[0][0], in[1][1]};
}

void embedding_rule(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> in = g.node(request.result).inputs;
  if (!request.is_wanted(1)) return;
  request.give(1,
               g.apply(kEmbeddingGradient, {in[0], *request.upstream}, {.shape = g.shape(in[1])}));
}

Shape embedding_gradient_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0].size() == 1 && in[1].size() == 2 && in[0][0] == in[1][0] &&
              attributes.shape.size() == 2 && attributes.shape[1] == in[1][1],
          "embedding_gradient", in);
  return attributes.shape;
}

void embedding_gradient_rule(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> in = g.node(request.result).inputs;
  if (request.is_wanted(1)) request.give(1, g.apply(kEmbedding, {in[0], *request.upstream}));
}

}  // namespace

const Operation kBatchMatmul{
    "batch_matmul",
    "a, b [B, ...] -> their products one by one, each transposed where its attribute says so",
    false,
    batch_matmul_shape,
    matmul_gradient<kBatchMatmul>,
    batch_matmul_flops};
const Operation kSoftmax{"softmax",    "x [..., n] -> e^x, brought to sum 1 over the last extent",
                         false,        softmax_shape,
                         softmax_rule, softmax_flops};
const Operation kSoftmaxGradient{"softmax_gradient",
                                 "dy, y = softmax(x) -> derivative by x",
                                 false,
                                 softmax_gradient_shape,
                                 softmax_gradient_rule,
                                 softmax_flops};
const Operation kEmbedding{"embedding",    "classes [N], table [K, E] -> each one's row [N, E]",
                           false,          embedding_shape,
                           embedding_rule, no_flops};
const Operation kEmbeddingGradient{
    "embedding_gradient",
    "classes [N], dy [N, E] -> sums of dy by class, in `shape` [K, E]",
    false,
    embedding_gradient_shape,
    embedding_gradient_rule,
    no_flops};

}  // namespace lipizz::nn
