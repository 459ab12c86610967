#include "core/error.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

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

Shape penalty_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.penalty != nullptr, "penalty", in);
  return {1};
}

Shape first_shape(Shapes in, const Attributes&) {
  return in[0];
}

Shape error_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && n_elements(in[0]) == n_elements(in[1]), "absolute_error", in);
  return {1};
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

}  // namespace

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
const Operation kPenalty{"penalty",
                         "squared lengths [N, 1] -> number * mean of the penalty's term [1]",
                         false,
                         penalty_shape,
                         loss_gradient<kPenaltyGradient>,
                         elementwise_flops};
const Operation kPenaltyGradient{"penalty_gradient",
                                 "squared lengths [N, 1] -> derivative of penalty by them",
                                 false,
                                 first_shape,
                                 nullptr,
                                 elementwise_flops};
const Operation kAbsoluteError{"absolute_error",
                               "a, b of as many -> number * mean |a - b| [1]; a has a derivative",
                               false,
                               error_shape,
                               loss_gradient<kAbsoluteErrorGradient>,
                               elementwise_flops};
const Operation kAbsoluteErrorGradient{"absolute_error_gradient",
                                       "a, b -> derivative of absolute_error by a",
                                       false,
                                       first_shape,
                                       nullptr,
                                       elementwise_flops};
}  // namespace lipizz::nn
