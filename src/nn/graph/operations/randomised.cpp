#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

// Operations that are handed uniform random numbers in [0, 1).
namespace lipizz::nn {
namespace {

Shape dropout_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && n_elements(in[0]) == n_elements(in[1]) && attributes.number < 1,
          "dropout", in);
  return in[0];
}

// Of an operation that is linear in its first input: the adjoint, with the other one as it is.
template <const Operation& adjoint>
void linear_rule(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  if (!request.is_wanted(0)) return;
  request.give(0, g.apply(adjoint, {*request.upstream, node.inputs[1]}, node.attributes));
}

Shape augment_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0].size() == 4 && in[1] == Shape{in[0][0], kNAugmentUniforms},
          "augment", in);
  return in[0];
}

Shape between_shape(Shapes in, const Attributes&) {
  require(in.size() == 3 && in[0] == in[1] && in[2] == Shape{in[0][0], 1}, "between", in);
  return in[0];
}

Shape around_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && n_elements(in[0]) == n_elements(in[1]), "around", in);
  return in[0];
}

}  // namespace

const Operation kDropout{"dropout",
                         "x, u of as many -> x / (1 - number) where u >= number, else 0",
                         false,
                         dropout_shape,
                         linear_rule<kDropout>,
                         elementwise_flops};
const Operation kAugment{
    "augment",
    "images [N, H, W, C], u [N, 7] -> their colours, places and a hole changed as `augmentation` "
    "says (nn/base/augmentation.hpp)",
    false,
    augment_shape,
    linear_rule<kAugmentGradient>,
    elementwise_flops};
const Operation kAugmentGradient{"augment_gradient",
                                 "dy [N, H, W, C], u [N, 7] -> derivative of augment by its images",
                                 false,
                                 augment_shape,
                                 nullptr,
                                 elementwise_flops};
const Operation kBetween{"between", "a, b [N, ...], u [N, 1] -> u a + (1 - u) b",
                         false,     between_shape,
                         nullptr,   elementwise_flops};
const Operation kAround{
    "around", "x, u of as many -> x + number * u * standard deviation of all of x",
    false,    around_shape,
    nullptr,  elementwise_flops};

}  // namespace lipizz::nn
