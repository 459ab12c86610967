#include "nn/graph/operations/elementwise.hpp"

#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape same_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0] == in[1], "an elementwise operation", in);
  return in[0];
}

void add_gradient(const GradientRequest& request) {
  for (const std::size_t input : {0UL, 1UL}) {
    if (request.is_wanted(input)) request.give(input, *request.upstream);
  }
}

Shape activation_shape(Shapes in, const Attributes&) {
  require(in.size() == 1, "activation", in);
  return in[0];
}

void activation_gradient(const GradientRequest& request) {
  if (!request.is_wanted(0)) return;
  request.give(0, before_activation(request.graph, *request.upstream, request.result));
}

// The slope is a function of y, so both inputs have a derivative.
void gradient_of_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId y = node.inputs[1];
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kActivationGradient, {*request.upstream, y}, node.attributes));
  }
  const Activation kind = node.attributes.activation;
  const bool is_curved = kind != Activation::kNone && !slope_below_zero(kind);
  if (request.is_wanted(1) && is_curved) {
    request.give(1, g.apply(kActivationSecondDerivative, {*request.upstream, node.inputs[0], y},
                            node.attributes));
  }
}

Shape scale_by_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && n_elements(in[1]) == 1, "scale_by", in);
  return in[0];
}

Shape second_derivative_shape(Shapes in, const Attributes&) {
  require(in.size() == 3 && in[0] == in[1] && in[1] == in[2], "activation_second_derivative", in);
  return in[0];
}

// Examples of `n_inputs` inputs of one shape, with every activation.
template <std::size_t n_inputs>
std::vector<Example> examples() {
  std::vector<Example> all;
  for (const Shape& shape : {Shape{1}, Shape{3, 13}, Shape{2, 5, 7, 17}}) {
    for (const ActivationEntry& entry : activations()) {
      all.push_back({std::vector(n_inputs, ExampleInput{shape}), {.activation = entry.activation}});
    }
  }
  return all;
}

template <class T>
void activation_slope(const Values<T>& v) {
  v.array() = v.array(0) * v.array(1).unaryExpr([kind = v.attributes().activation](T y) {
    return activation_slope(kind, y);
  });
}

template <class T>
void second_derivative(const Values<T>& v) {
  v.array() =
      v.array(0) * v.array(1) * v.array(2).unaryExpr([kind = v.attributes().activation](T y) {
        return activation_slope_of_slope(kind, y);
      });
}

}  // namespace

constinit const Operation kActivation{
    .name = "activation",
    .summary = "x -> activation(x)",
    .in_place = true,
    .shape = activation_shape,
    .gradient = activation_gradient,
    .flops = elementwise_flops,
    .reference = reference([]<class T>(const Values<T>& v) {
      v.array() = v.array(0).unaryExpr(
          [kind = v.attributes().activation](T x) { return activate(kind, x); });
    }),
    .examples = examples<1>};
constinit const Operation kActivationGradient{
    .name = "activation_gradient",
    .summary = "dy, y = activation(x) -> dy * activation'(x)",
    .in_place = true,
    .shape = same_shape,
    .gradient = gradient_of_gradient,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { activation_slope(v); }),
    .examples = examples<2>};
constinit const Operation kActivationSecondDerivative{
    .name = "activation_second_derivative",
    .summary = "h, dy, y = activation(x) -> h * dy * d activation'(x) / dy",
    .in_place = true,
    .shape = second_derivative_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { second_derivative(v); }),
    .examples = examples<3>};
constinit const Operation kAdd{
    .name = "add",
    .summary = "a, b of one shape -> a + b",
    .in_place = true,
    .shape = same_shape,
    .gradient = add_gradient,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { v.array() = v.array(0) + v.array(1); }),
    .examples = examples<2>};
constinit const Operation kScaleBy{
    .name = "scale_by",
    .summary = "x, a number [1] -> x times it; x has a derivative",
    .shape = scale_by_shape,
    .gradient = adjoint_gradient<kScaleBy>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { v.array() = v.array(0) * *v.data(1); }),
    .examples = [] {
      const ExampleInput number{{1}};
      return std::vector<Example>{
          {{{{1, 1}}, number}}, {{{{3, 13}}, number}}, {{{{2, 50}}, number}}};
    }};

std::span<const Operation* const> elementwise_operations() {
  static constexpr const Operation* kAll[] = {&kActivation, &kActivationGradient,
                                              &kActivationSecondDerivative, &kAdd, &kScaleBy};
  return kAll;
}

}  // namespace lipizz::nn
