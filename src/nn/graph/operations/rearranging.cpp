#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

// Copies and sums of elements; each operation's derivative is another of them.
namespace lipizz::nn {
namespace {

Shape with_channels(Shape shape, std::uint32_t n) {
  shape.back() = n;
  return shape;
}

Shape concatenate_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && with_channels(in[0], 1) == with_channels(in[1], 1), "concatenate", in);
  return with_channels(in[0], in[0].back() + in[1].back());
}

void concatenate_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> inputs = g.node(request.result).inputs;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::uint32_t n = g.shape(inputs[i]).back();
    if (request.is_wanted(i)) {
      request.give(i, g.apply(kChannels, {*request.upstream}, {.shape = {n}, .offset = offset}));
    }
    offset += n;
  }
}

Shape channels_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.shape.size() == 1 &&
              attributes.offset + attributes.shape[0] <= in[0].back(),
          "channels", in);
  return with_channels(in[0], attributes.shape[0]);
}

Shape spread_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.shape.size() == 1 &&
              attributes.offset + in[0].back() <= attributes.shape[0],
          "spread", in);
  return with_channels(in[0], attributes.shape[0]);
}

// Of channels and spread: the other one, with the channels of what was read.
template <const Operation& adjoint>
void moved_channels_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  if (!request.is_wanted(0)) return;
  const std::uint32_t n = g.shape(node.inputs[0]).back();
  request.give(
      0, g.apply(adjoint, {*request.upstream}, {.shape = {n}, .offset = node.attributes.offset}));
}

Shape upsample_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() == 4, "upsample", in);
  const std::uint32_t k = attributes.window.kernel;
  return {in[0][0], in[0][1] * k, in[0][2] * k, in[0][3]};
}

Shape blocks_shape(Shapes in, const Attributes& attributes) {
  const std::uint32_t k = attributes.window.kernel;
  require(!in.empty() && in[0].size() == 4 && k > 0 && in[0][1] % k == 0 && in[0][2] % k == 0,
          "an operation on blocks", in);
  return {in[0][0], in[0][1] / k, in[0][2] / k, in[0][3]};
}

Shape pick_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0] == in[1], "pick_max", in);
  return blocks_shape(in, attributes);
}

Shape route_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0] == blocks_shape(in.subspan(1), attributes), "route_max", in);
  return in[1];
}

// The derivative by the only input, or by the first: the adjoint with the other inputs as they are.
template <const Operation& adjoint>
void adjoint_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  if (!request.is_wanted(0)) return;
  std::vector<ValueId> inputs = node.inputs;
  inputs[0] = *request.upstream;
  request.give(0, g.apply(adjoint, std::move(inputs), node.attributes));
}

void max_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  if (!request.is_wanted(0)) return;
  request.give(0, g.apply(kRouteMax, {*request.upstream, node.inputs[0]}, node.attributes));
}

}  // namespace

const Operation kConcatenate{"concatenate",
                             "a [..., A], b [..., B] -> their channels one after the other [..., A "
                             "+ B]",
                             false,
                             concatenate_shape,
                             concatenate_gradient,
                             no_flops};
const Operation kChannels{"channels",
                          "x [..., C] -> its channels from `offset` on [..., shape[0]]",
                          false,
                          channels_shape,
                          moved_channels_gradient<kSpread>,
                          no_flops};
const Operation kSpread{"spread",
                        "x [..., A] -> channels from `offset` on of [..., shape[0]], else zero",
                        false,
                        spread_shape,
                        moved_channels_gradient<kChannels>,
                        no_flops};
const Operation kUpsample{"upsample",
                          "x [N, H, W, C] -> number * each element in a block of kernel x kernel",
                          false,
                          upsample_shape,
                          adjoint_gradient<kSumBlocks>,
                          elementwise_flops};
const Operation kSumBlocks{"sum_blocks",
                           "x [N, H, W, C] -> number * sums of blocks of kernel x kernel",
                           false,
                           blocks_shape,
                           adjoint_gradient<kUpsample>,
                           elementwise_flops};
const Operation kMaxBlocks{"max_blocks", "x [N, H, W, C] -> maxima of blocks of kernel x kernel",
                           false,        blocks_shape,
                           max_gradient, elementwise_flops};
const Operation kPickMax{"pick_max",
                         "u, x [N, H, W, C] -> of each block u where x is greatest, the first such",
                         false,
                         pick_shape,
                         adjoint_gradient<kRouteMax>,
                         elementwise_flops};
const Operation kRouteMax{"route_max",
                          "dy of blocks, x [N, H, W, C] -> dy where its block of x is greatest",
                          false,
                          route_shape,
                          adjoint_gradient<kPickMax>,
                          elementwise_flops};

}  // namespace lipizz::nn
