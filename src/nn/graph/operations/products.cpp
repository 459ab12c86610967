#include <utility>

#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

Shape linear_shape(Shapes in, const Attributes&) {
  require(in.size() == 3 && in[0].size() == 2 && in[1].size() == 2 && in[2].size() == 1 &&
              in[0][1] == in[1][0] && in[1][1] == in[2][0],
          "linear", in);
  return {in[0][0], in[1][1]};
}

std::uint64_t linear_flops(Shapes in, const Attributes&) {
  return 2ULL * in[0][0] * in[0][1] * in[1][1];
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

Shape matmul_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0].size() == 2 && in[1].size() == 2, "matmul", in);
  const auto [rows, inner_a] =
      attributes.transpose_a ? std::pair{in[0][1], in[0][0]} : std::pair{in[0][0], in[0][1]};
  const auto [inner_b, columns] =
      attributes.transpose_b ? std::pair{in[1][1], in[1][0]} : std::pair{in[1][0], in[1][1]};
  require(inner_a == inner_b, "matmul", in);
  return {rows, columns};
}

std::uint64_t matmul_flops(Shapes in, const Attributes& attributes) {
  const Shape result = matmul_shape(in, attributes);
  return 2ULL * result[0] * result[1] * (attributes.transpose_a ? in[0][0] : in[0][1]);
}

}  // namespace

const Operation kLinear{
    "linear",        "x [N, in], W [in, out], b [out] -> activation(x W + b) [N, out]",
    false,           linear_shape,
    linear_gradient, linear_flops};
const Operation kMatmul{"matmul",
                        "a, b -> a b, each transposed where its attribute says so",
                        false,
                        matmul_shape,
                        matmul_gradient<kMatmul>,
                        matmul_flops};

}  // namespace lipizz::nn
