#include "nn/network/layers/self_attention.hpp"

#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

constexpr std::uint32_t kHalving = 2;

// A pointwise convolution without bias.
ValueId project(LayerBuilder& builder, ValueId x, std::uint32_t n_out, std::string_view name) {
  Graph& g = builder.graph();
  const Shape shape = g.shape(x);
  const ValueId w = builder.weight({1, 1, shape[3], n_out}, shape[3], n_out, name);
  return g.apply(kConvolution, {x, w});
}

ValueId as_rows(Graph& g, ValueId images) {
  const Shape shape = g.shape(images);
  return g.reshape(images, {shape[0], shape[1] * shape[2], shape[3]});
}

ValueId add(LayerBuilder& builder) {
  Graph& g = builder.graph();
  const ValueId x = builder.input();
  const Shape shape = builder.image_shape();
  const std::uint32_t n = shape[3];
  const Attributes pool{.window = {.kernel = kHalving}};
  const ValueId theta = project(builder, x, n / 8, "theta");
  const ValueId phi = g.apply(kMaxBlocks, {project(builder, x, n / 8, "phi")}, pool);
  const ValueId values = g.apply(kMaxBlocks, {project(builder, x, n / 2, "g")}, pool);
  const ValueId scores =
      g.apply(kBatchMatmul, {as_rows(g, theta), as_rows(g, phi)}, {.transpose_b = true});
  const ValueId seen = g.apply(kBatchMatmul, {g.apply(kSoftmax, {scores}), as_rows(g, values)});
  const ValueId o =
      project(builder, g.reshape(seen, {shape[0], shape[1], shape[2], n / 2}), n, "o");
  const ValueId gamma = g.reshape(builder.shift(1, "gamma"), {1, 1});
  const ValueId column = g.reshape(o, {static_cast<std::uint32_t>(n_elements(shape)), 1});
  return g.apply(kAdd, {x, g.reshape(g.apply(kScaleRows, {column, gamma}), shape)});
}

}  // namespace

const LayerKind kSelfAttentionLayer{
    "self-attention",
    "x + gamma o(softmax(theta(x) phi(x)^T) g(x)), [N, H, W, C]; theta, phi [C, C / 8], g [C, C / "
    "2], o [C / 2, C] pointwise, phi and g max-pooled by 2, gamma [1] zero at the start "
    "(Zhang et al. 2019)",
    add,
    {"spectral_norm"}};

}  // namespace lipizz::nn
