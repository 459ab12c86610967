#include "nn/graph/operations/attention.hpp"

#include "nn/graph/operations/broadcasting.hpp"
#include "nn/graph/operations/elementwise.hpp"
#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

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

// dx = y (dy - <dy, y>), symmetric in dy and what multiplies it; <> sums over the last dimension.
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

template <class T>
void softmax(const Values<T>& v) {
  const auto x = v.array(0);
  Array<T> powers =
      (x.colwise() - x.rowwise().maxCoeff()).unaryExpr([](T z) { return math::exp(z); });
  v.array() = powers.colwise() / powers.rowwise().sum();
}

template <class T>
void softmax_gradient(const Values<T>& v) {
  const auto dy = v.array(0);
  const auto y = v.array(1);
  v.array() = y * (dy.colwise() - (dy * y).rowwise().sum());
}

template <std::size_t n_inputs>
std::vector<Example> examples() {
  std::vector<Example> all;
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 17}, Shape{2, 5, 64}, Shape{4, 1}}) {
    all.push_back({std::vector(n_inputs, ExampleInput{shape})});
  }
  return all;
}

}  // namespace

constinit const Operation kSoftmax{
    .name = "softmax",
    .summary = "x [..., n] -> e^x, brought to sum 1 over the last dimension",
    .shape = softmax_shape,
    .gradient = softmax_rule,
    .flops = softmax_flops,
    .reference = reference([](const auto& v) { softmax(v); }),
    .examples = examples<1>};
constinit const Operation kSoftmaxGradient{
    .name = "softmax_gradient",
    .summary = "dy, y = softmax(x) -> derivative by x",
    .shape = softmax_gradient_shape,
    .gradient = softmax_gradient_rule,
    .flops = softmax_flops,
    .reference = reference([](const auto& v) { softmax_gradient(v); }),
    .examples = examples<2>};

std::span<const Operation* const> attention_operations() {
  static constexpr const Operation* kAll[] = {&kSoftmax, &kSoftmaxGradient};
  return kAll;
}

}  // namespace lipizz::nn
