#include <tuple>

#include "core/error.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

bool are_statistics_of(const Shape& statistics, const Shape& x, const Attributes& attributes) {
  return statistics == Shape{attributes.groups, 2, x.back()} || statistics == Shape{1, 2, x.back()};
}

Shape statistics_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() >= 2 && in[0][0] % attributes.groups == 0, "statistics",
          in);
  return {attributes.groups, 2, in[0].back()};
}

Shape normalise_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 4 && in[0].size() >= 2 && are_statistics_of(in[1], in[0], attributes) &&
              in[2] == Shape{in[0].back()} && in[3] == in[2],
          "normalise", in);
  return in[0];
}

// The sums over each group, added up: what scale and shift get.
ValueId totals(Graph& g, ValueId sums) {
  const Shape shape = g.shape(sums);
  if (shape[0] == 1) return g.reshape(sums, {2 * shape[2]});
  return g.apply(kSumRows, {g.reshape(sums, {shape[0], 2 * shape[2]})});
}

void normalise_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId x = node.inputs[0];
  const ValueId statistics = node.inputs[1];
  const Node& source = g.node(statistics);
  if (source.operation != &kStatistics || source.inputs.front() != x) {
    throw InternalError("the derivative of normalising by other statistics is not planned");
  }
  const ValueId dz = before_activation(g, *request.upstream, request.result);
  Attributes attributes = node.attributes;
  attributes.activation = Activation::kNone;
  const ValueId sums = g.apply(kNormaliseSums, {dz, x, statistics}, attributes);
  const std::uint32_t n = g.shape(x).back();
  if (request.is_wanted(2) || request.is_wanted(3)) {
    const ValueId both = totals(g, sums);
    if (request.is_wanted(2)) request.give(2, g.part(both, 0, {n}));
    if (request.is_wanted(3)) request.give(3, g.part(both, n, {n}));
  }
  if (request.is_wanted(0)) {
    request.give(
        0, g.apply(kNormaliseGradient, {dz, x, statistics, node.inputs[2], sums}, attributes));
  }
}

Shape sums_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 3 && in[0] == in[1] && are_statistics_of(in[2], in[1], attributes),
          "normalise_sums", in);
  return {attributes.groups, 2, in[0].back()};
}

Shape normalise_gradient_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 5 && in[0] == in[1] && are_statistics_of(in[2], in[1], attributes) &&
              in[3] == Shape{in[0].back()} && in[4] == in[2],
          "normalise_gradient", in);
  return in[0];
}

// The derivative of dx = scale * rate * (dz - mean(dz) - x^ mean(dz x^)), taken through statistics
// and sums: it is symmetric in dz and what multiplies it.
void second_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId h = *request.upstream;
  const auto [dz, x, statistics, scale, sums] =
      std::tuple{node.inputs[0], node.inputs[1], node.inputs[2], node.inputs[3], node.inputs[4]};
  const Shape of_scale = g.shape(scale);
  const ValueId h_sums = g.apply(kNormaliseSums, {h, x, statistics}, node.attributes);
  if (request.is_wanted(0)) {
    request.give(0,
                 g.apply(kNormaliseGradient, {h, x, statistics, scale, h_sums}, node.attributes));
  }
  if (request.is_wanted(1)) {
    const ValueId products = g.apply(kProductSums, {h, dz}, {.groups = node.attributes.groups});
    request.give(1,
                 g.apply(kNormaliseCurvature, {h, dz, x, statistics, scale, h_sums, sums, products},
                         node.attributes));
  }
  if (request.is_wanted(3)) {
    const ValueId ones = g.apply(kFill, {}, {.shape = of_scale, .number = 1});
    const ValueId unscaled =
        g.apply(kNormaliseGradient, {dz, x, statistics, ones, sums}, node.attributes);
    request.give(3, g.reshape(g.apply(kProductSums, {h, unscaled}), of_scale));
  }
}

Shape curvature_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 8 && in[0] == in[1] && in[1] == in[2] &&
              are_statistics_of(in[3], in[2], attributes) && in[4] == Shape{in[2].back()} &&
              in[5] == in[3] && in[6] == in[3] && in[7] == Shape{in[3][0], in[3][2]},
          "normalise_curvature", in);
  return in[0];
}

std::uint64_t few_flops(Shapes in, const Attributes&) {
  return 4ULL * n_elements(in[0]);
}

}  // namespace

const Operation kStatistics{"statistics",
                            "x [N, ..., C], its rows in `groups` equal parts -> mean and biased "
                            "variance of each channel [groups, 2, C]",
                            false,
                            statistics_shape,
                            nullptr,
                            few_flops};
const Operation kNormalise{
    "normalise",
    "x [N, ..., C], statistics of its `groups` or of all, scale [C], shift [C] -> activation((x - "
    "mean) / sqrt(variance + number) * scale + shift)",
    false,
    normalise_shape,
    normalise_gradient,
    few_flops};
const Operation kNormaliseSums{
    "normalise_sums",
    "dz, x, statistics -> sums of dz * normalised x and of dz by group and channel [groups, 2, C]",
    false,
    sums_shape,
    nullptr,
    few_flops};
const Operation kNormaliseGradient{"normalise_gradient",
                                   "dz, x, its own statistics, scale, sums -> derivative by x",
                                   false,
                                   normalise_gradient_shape,
                                   second_gradient,
                                   few_flops};
const Operation kNormaliseCurvature{
    "normalise_curvature",
    "h, dz, x, its own statistics, scale, normalise_sums of h and of dz, product_sums of both -> "
    "derivative by x of what h makes of normalise_gradient",
    false,
    curvature_shape,
    nullptr,
    few_flops};

}  // namespace lipizz::nn
