#include "core/error.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

Shape part_shape(Shapes in, const Attributes& attributes) {
  require(
      in.size() == 1 && attributes.offset + n_elements(attributes.shape) <= n_elements(in.front()),
      "part", in);
  return attributes.shape;
}

void part_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Shape& whole = g.shape(g.node(request.result).inputs.front());
  if (n_elements(whole) != n_elements(g.shape(request.result))) {
    throw InternalError("the derivative by a value of which a part is used is not planned");
  }
  if (request.is_wanted(0)) request.give(0, g.reshape(*request.upstream, whole));
}

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

void activation_rule(const GradientRequest& request) {
  if (!request.is_wanted(0)) return;
  request.give(0, before_activation(request.graph, *request.upstream, request.result));
}

// The slope is a function of y, so both inputs have a derivative.
void activation_gradient_rule(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId y = node.inputs[1];
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kActivationGradient, {*request.upstream, y}, node.attributes));
  }
  const Activation kind = node.attributes.activation;
  if (request.is_wanted(1) && (kind == Activation::kTanh || kind == Activation::kSigmoid)) {
    request.give(
        1, g.apply(kActivationCurvature, {*request.upstream, node.inputs[0], y}, node.attributes));
  }
}

Shape curvature_shape(Shapes in, const Attributes&) {
  require(in.size() == 3 && in[0] == in[1] && in[1] == in[2], "activation_curvature", in);
  return in[0];
}

}  // namespace

const Operation kPart{"part",        "x -> its elements from `offset` on in `shape`, in x's memory",
                      false,         part_shape,
                      part_gradient, no_flops};
const Operation kActivation{"activation",     "x -> activation(x)", false,
                            activation_shape, activation_rule,      elementwise_flops};
const Operation kActivationGradient{"activation_gradient",
                                    "dy, y = activation(x) -> dy * activation'(x)",
                                    false,
                                    same_shape,
                                    activation_gradient_rule,
                                    elementwise_flops};
const Operation kActivationCurvature{"activation_curvature",
                                     "h, dy, y = activation(x) -> h * dy * d activation'(x) / dy",
                                     false,
                                     curvature_shape,
                                     nullptr,
                                     elementwise_flops};
const Operation kAdd{
    "add", "a, b of one shape -> a + b", false, same_shape, add_gradient, elementwise_flops};

}  // namespace lipizz::nn
