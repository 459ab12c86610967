#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

// The three are each other's derivatives: each is linear in both of its inputs.
namespace lipizz::nn {
namespace {

bool are_images_and_weights(Shapes in) {
  return (in.size() == 2 || in.size() == 3) && in[0].size() == 4 && in[1].size() == 4 &&
         in[1][0] == in[1][1];
}

bool has_bias_of(Shapes in, std::uint32_t n) {
  return in.size() == 2 || in[2] == Shape{n};
}

// How often the window fits, 0 where it does not.
std::uint32_t fits(std::uint32_t extent, const Window& w) {
  const std::uint32_t padded = extent + 2 * w.padding;
  return padded < w.kernel || w.stride == 0 ? 0 : (padded - w.kernel) / w.stride + 1;
}

// 2 * window * channels * outputs for each place of the window.
std::uint64_t flops_of(const Shape& places, const Shape& weights) {
  return 2ULL * places[0] * places[1] * places[2] * n_elements(weights);
}

Attributes with_shape(Attributes attributes, Shape shape) {
  attributes.activation = Activation::kNone;
  attributes.shape = std::move(shape);
  return attributes;
}

Shape convolution_shape(Shapes in, const Attributes& attributes) {
  require(are_images_and_weights(in) && in[1][0] == attributes.window.kernel &&
              in[0][3] == in[1][2] && has_bias_of(in, in[1][3]),
          "convolution", in);
  const std::uint32_t height = fits(in[0][1], attributes.window);
  const std::uint32_t width = fits(in[0][2], attributes.window);
  require(height > 0 && width > 0, "convolution", in);
  return {in[0][0], height, width, in[1][3]};
}

void convolution_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const Shape x = g.shape(node.inputs[0]);
  const ValueId dz = before_activation(g, *request.upstream, request.result);
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kTransposedConvolution, {dz, node.inputs[1]},
                            with_shape(node.attributes, {x[1], x[2]})));
  }
  if (request.is_wanted(1)) {
    request.give(
        1, g.apply(kConvolutionWeights, {node.inputs[0], dz}, with_shape(node.attributes, {})));
  }
  if (node.inputs.size() == 3 && request.is_wanted(2)) request.give(2, g.apply(kSumRows, {dz}));
}

std::uint64_t convolution_flops(Shapes in, const Attributes& attributes) {
  return flops_of(convolution_shape(in, attributes), in[1]);
}

Shape transposed_shape(Shapes in, const Attributes& attributes) {
  require(are_images_and_weights(in) && in[1][0] == attributes.window.kernel &&
              attributes.shape.size() == 2 && in[0][3] == in[1][3] && has_bias_of(in, in[1][2]) &&
              fits(attributes.shape[0], attributes.window) == in[0][1] &&
              fits(attributes.shape[1], attributes.window) == in[0][2],
          "transposed_convolution", in);
  return {in[0][0], attributes.shape[0], attributes.shape[1], in[1][2]};
}

void transposed_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId dz = before_activation(g, *request.upstream, request.result);
  const Attributes attributes = with_shape(node.attributes, {});
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kConvolution, {dz, node.inputs[1]}, attributes));
  }
  if (request.is_wanted(1)) {
    request.give(1, g.apply(kConvolutionWeights, {dz, node.inputs[0]}, attributes));
  }
  if (node.inputs.size() == 3 && request.is_wanted(2)) request.give(2, g.apply(kSumRows, {dz}));
}

std::uint64_t transposed_flops(Shapes in, const Attributes&) {
  return flops_of(in[0], in[1]);
}

Shape weights_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0].size() == 4 && in[1].size() == 4 && in[0][0] == in[1][0] &&
              fits(in[0][1], attributes.window) == in[1][1] &&
              fits(in[0][2], attributes.window) == in[1][2],
          "convolution_weights", in);
  const std::uint32_t k = attributes.window.kernel;
  return {k, k, in[0][3], in[1][3]};
}

void weights_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const Shape x = g.shape(node.inputs[0]);
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kTransposedConvolution, {node.inputs[1], *request.upstream},
                            with_shape(node.attributes, {x[1], x[2]})));
  }
  if (request.is_wanted(1)) {
    request.give(1, g.apply(kConvolution, {node.inputs[0], *request.upstream}, node.attributes));
  }
}

std::uint64_t weights_flops(Shapes in, const Attributes& attributes) {
  return flops_of(in[1], weights_shape(in, attributes));
}

}  // namespace

const Operation kConvolution{
    "convolution",
    "x [N, H, W, C], w [k, k, C, O], optionally b [O] -> activation(x * w + b) [N, H', W', O]; "
    "H' = (H + 2 padding - k) / stride + 1",
    false,
    convolution_shape,
    convolution_gradient,
    convolution_flops};
const Operation kTransposedConvolution{
    "transposed_convolution",
    "y [N, H', W', O], w [k, k, C, O], optionally b [C] -> activation(what a convolution's input "
    "of `shape` [H, W] gets from y + b) [N, H, W, C]",
    false,
    transposed_shape,
    transposed_gradient,
    transposed_flops};
const Operation kConvolutionWeights{
    "convolution_weights",
    "x [N, H, W, C], dy [N, H', W', O] -> derivative by a convolution's weights [k, k, C, O]",
    false,
    weights_shape,
    weights_gradient,
    weights_flops};

}  // namespace lipizz::nn
