#include "nn/operations.hpp"

#include <array>
#include <string>

#include "core/error.hpp"

namespace lipizz::nn {
namespace {

using Shapes = std::span<const Shape>;

void require(bool condition, std::string_view operation, Shapes inputs) {
  if (condition) return;
  std::string text = std::string(operation) + " cannot take";
  for (const Shape& shape : inputs) text += " " + to_string(shape);
  throw InternalError(text);
}

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
  ValueId dz = *request.upstream;
  if (node.attributes.activation != Activation::kNone) {
    dz = g.apply(kActivationGradient, {dz, request.result}, node.attributes);
  }
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

void matmul_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId dy = *request.upstream;
  const bool ta = node.attributes.transpose_a;
  const bool tb = node.attributes.transpose_b;
  if (request.is_wanted(0)) {
    const ValueId b = node.inputs[1];
    request.give(0, ta ? g.apply(kMatmul, {b, dy}, {.transpose_a = tb, .transpose_b = true})
                       : g.apply(kMatmul, {dy, b}, {.transpose_b = !tb}));
  }
  if (request.is_wanted(1)) {
    const ValueId a = node.inputs[0];
    request.give(1, tb ? g.apply(kMatmul, {dy, a}, {.transpose_a = true, .transpose_b = ta})
                       : g.apply(kMatmul, {a, dy}, {.transpose_a = !ta}));
  }
}

Shape sum_rows_shape(Shapes in, const Attributes&) {
  require(in.size() == 1 && in[0].size() == 2, "sum_rows", in);
  return {in[0][1]};
}

Shape same_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0] == in[1], "an elementwise operation", in);
  return in[0];
}

std::uint64_t elementwise_flops(Shapes in, const Attributes&) {
  return n_elements(in[0]);
}

void add_gradient(const GradientRequest& request) {
  for (const std::size_t input : {0UL, 1UL}) {
    if (request.is_wanted(input)) request.give(input, *request.upstream);
  }
}

Shape loss_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0].size() == 2 && in[0][1] == 1 && n_elements(in[1]) == 1, "a loss",
          in);
  return {1};
}

Shape loss_gradient_shape(Shapes in, const Attributes& attributes) {
  loss_shape(in, attributes);
  return in[0];
}

Shape cross_entropy_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0].size() == 2 && n_elements(in[1]) == in[0][0], "cross_entropy",
          in);
  return {1};
}

Shape cross_entropy_gradient_shape(Shapes in, const Attributes& attributes) {
  cross_entropy_shape(in, attributes);
  return in[0];
}

// A loss ends the graph: its rule takes no upstream derivative.
template <const Operation& gradient_operation>
void loss_gradient(const GradientRequest& request) {
  if (request.upstream)
    throw InternalError("the derivative of a function of a loss is not planned");
  const Node node = request.graph.node(request.result);
  if (request.is_wanted(0)) {
    request.give(0, request.graph.apply(gradient_operation, node.inputs, node.attributes));
  }
}

Shape optimizer_shape(Shapes in, const Attributes& attributes) {
  const std::size_t n_moments = entry(attributes.optimizer.kind).n_moments;
  require(in.size() == 3 + n_moments && in[1] == in[0] && n_elements(in[2]) == 2, "optimizer_step",
          in);
  for (const Shape& moment : in.subspan(3)) require(moment == in[0], "optimizer_step", in);
  return {};
}

}  // namespace

const Operation kLinear{
    "linear",        "x [N, in], W [in, out], b [out] -> activation(x W + b) [N, out]",
    false,           linear_shape,
    linear_gradient, linear_flops};
const Operation kMatmul{"matmul",        "a, b -> a b, each transposed where its attribute says so",
                        false,           matmul_shape,
                        matmul_gradient, matmul_flops};
const Operation kSumRows{
    "sum_rows", "x [N, n] -> column sums [n]", false, sum_rows_shape, nullptr, elementwise_flops};
const Operation kActivationGradient{"activation_gradient",
                                    "dy, y = activation(x) -> dy * activation'(x)",
                                    false,
                                    same_shape,
                                    nullptr,
                                    elementwise_flops};
const Operation kAdd{
    "add", "a, b of one shape -> a + b", false, same_shape, add_gradient, elementwise_flops};
const Operation kGeneratorLoss{"generator_loss",
                               "logits of fakes [N, 1], loss id [1] -> mean loss [1]",
                               false,
                               loss_shape,
                               loss_gradient<kGeneratorLossGradient>,
                               elementwise_flops};
const Operation kGeneratorLossGradient{"generator_loss_gradient",
                                       "logits [N, 1], loss id [1] -> d mean loss / d logits",
                                       false,
                                       loss_gradient_shape,
                                       nullptr,
                                       elementwise_flops};
const Operation kDiscriminatorLoss{
    "discriminator_loss",
    "logits [2N, 1] (N real rows, then N fakes), loss id [1] -> mean real + mean fake loss [1]",
    false,
    loss_shape,
    loss_gradient<kDiscriminatorLossGradient>,
    elementwise_flops};
const Operation kDiscriminatorLossGradient{"discriminator_loss_gradient",
                                           "logits [2N, 1], loss id [1] -> d loss / d logits",
                                           false,
                                           loss_gradient_shape,
                                           nullptr,
                                           elementwise_flops};
const Operation kCrossEntropy{"cross_entropy",
                              "logits [N, classes], labels [N] -> mean -log softmax at label [1]",
                              false,
                              cross_entropy_shape,
                              loss_gradient<kCrossEntropyGradient>,
                              elementwise_flops};
const Operation kCrossEntropyGradient{"cross_entropy_gradient",
                                      "logits [N, classes], labels [N] -> d loss / d logits",
                                      false,
                                      cross_entropy_gradient_shape,
                                      nullptr,
                                      elementwise_flops};
const Operation kOptimizerStep{"optimizer_step",
                               "parameters, gradients of the same shape, {rate, step} [2], "
                               "then each moment, of the same shape; updates parameters, moments",
                               true,
                               optimizer_shape,
                               nullptr,
                               elementwise_flops};

std::span<const Operation* const> operations() {
  static constexpr std::array kAll{&kLinear,
                                   &kMatmul,
                                   &kSumRows,
                                   &kActivationGradient,
                                   &kAdd,
                                   &kGeneratorLoss,
                                   &kGeneratorLossGradient,
                                   &kDiscriminatorLoss,
                                   &kDiscriminatorLossGradient,
                                   &kCrossEntropy,
                                   &kCrossEntropyGradient,
                                   &kOptimizerStep};
  return kAll;
}

}  // namespace lipizz::nn
