#include "nn/graph/operations/scaling.hpp"

#include "nn/graph/operations.hpp"
#include "nn/graph/operations/shapes.hpp"

// Products by channel and sums over rows, closed under differentiation: the derivatives of each are
// made of the others. x is [N, ..., C], its rows in as many equal parts as a factor [G, C] has.
namespace lipizz::nn {
namespace {

// Factors [G, C] of the parts of x.
bool are_factors_of(const Shape& factors, const Shape& x) {
  return factors.size() == 2 && factors[1] == x.back() &&
         (n_elements(x) / x.back()) % factors[0] == 0;
}

std::uint32_t n_parts(const Graph& graph, ValueId factors) {
  return graph.shape(factors)[0];
}

Shape fill_shape(Shapes in, const Attributes& attributes) {
  require(in.empty() && !attributes.shape.empty(), "fill", in);
  return attributes.shape;
}

Shape sum_rows_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() >= 2 &&
              n_elements(in[0]) / in[0].back() % attributes.groups == 0,
          "sum_rows", in);
  return attributes.groups == 1 ? Shape{in[0].back()} : Shape{attributes.groups, in[0].back()};
}

void sum_rows_gradient(const GradientRequest& request) {
  if (!request.is_wanted(0)) return;
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const Shape x = g.shape(node.inputs[0]);
  const ValueId sums = g.reshape(*request.upstream, {node.attributes.groups, x.back()});
  request.give(0, g.apply(kSpreadRows, {sums}, {.shape = x}));
}

Shape spread_rows_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && are_factors_of(in[0], attributes.shape), "spread_rows", in);
  return attributes.shape;
}

void spread_rows_gradient(const GradientRequest& request) {
  if (!request.is_wanted(0)) return;
  Graph& g = request.graph;
  const Shape sums = g.shape(g.node(request.result).inputs[0]);
  request.give(0, g.reshape(g.apply(kSumRows, {*request.upstream}, {.groups = sums[0]}), sums));
}

Shape scale_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && are_factors_of(in[1], in[0]), "scale_rows", in);
  return in[0];
}

void scale_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> in = g.node(request.result).inputs;
  if (request.is_wanted(0)) request.give(0, g.apply(kScaleRows, {*request.upstream, in[1]}));
  if (request.is_wanted(1)) {
    request.give(1,
                 g.apply(kProductSums, {*request.upstream, in[0]}, {.groups = n_parts(g, in[1])}));
  }
}

Shape product_sums_shape(Shapes in, const Attributes& attributes) {
  const Shape sums{attributes.groups, in[0].back()};
  require(in.size() == 2 && in[0] == in[1] && are_factors_of(sums, in[0]), "product_sums", in);
  return sums;
}

void product_sums_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> in = g.node(request.result).inputs;
  if (request.is_wanted(0)) request.give(0, g.apply(kScaleRows, {in[1], *request.upstream}));
  if (request.is_wanted(1)) request.give(1, g.apply(kScaleRows, {in[0], *request.upstream}));
}

Shape modulate_shape(Shapes in, const Attributes&) {
  require(in.size() == 3 && are_factors_of(in[1], in[0]) && in[2] == in[1], "modulate", in);
  return in[0];
}

void modulate_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> in = g.node(request.result).inputs;
  const ValueId dz = before_activation(g, *request.upstream, request.result);
  const Shape factors = g.shape(in[1]);
  if (request.is_wanted(0)) request.give(0, g.apply(kScaleRows, {dz, in[1]}));
  if (request.is_wanted(1)) {
    request.give(1, g.apply(kProductSums, {dz, in[0]}, {.groups = factors[0]}));
  }
  if (request.is_wanted(2)) {
    request.give(2, g.reshape(g.apply(kSumRows, {dz}, {.groups = factors[0]}), factors));
  }
}

std::uint64_t product_flops(Shapes in, const Attributes&) {
  return 2ULL * n_elements(in[0]);
}

}  // namespace

ValueId multiply(Graph& graph, ValueId a, ValueId b) {
  const Shape shape = graph.shape(a);
  const auto n = static_cast<std::uint32_t>(n_elements(shape));
  const ValueId factors = graph.reshape(b, {n, 1});
  return graph.reshape(graph.apply(kScaleRows, {graph.reshape(a, {n, 1}), factors}), shape);
}

ValueId row_products(Graph& graph, ValueId a, ValueId b) {
  const std::uint32_t n_rows = graph.shape(a).front();
  const Shape column{static_cast<std::uint32_t>(n_elements(graph.shape(a))), 1};
  return graph.apply(kProductSums, {graph.reshape(a, column), graph.reshape(b, column)},
                     {.groups = n_rows});
}

const Operation kFill{"fill",  "-> number everywhere in `shape`",
                      false,   fill_shape,
                      nullptr, [](Shapes, const Attributes&) { return std::uint64_t{0}; }};
const Operation kSumRows{"sum_rows",
                         "x [..., C] -> sums over the rows of each of `groups` parts [groups, C], "
                         "of all [C]",
                         false,
                         sum_rows_shape,
                         sum_rows_gradient,
                         elementwise_flops};
const Operation kSpreadRows{"spread_rows",
                            "s [G, C] -> in `shape` [..., C] each row of its part",
                            false,
                            spread_rows_shape,
                            spread_rows_gradient,
                            no_flops};
const Operation kScaleRows{"scale",        "x [..., C], s [G, C] -> x * s of its part",
                           false,          scale_shape,
                           scale_gradient, elementwise_flops};
const Operation kProductSums{
    "product_sums",
    "a, b [..., C] -> sums of a * b over each of `groups` parts [groups, C]",
    false,
    product_sums_shape,
    product_sums_gradient,
    product_flops};
const Operation kModulate{"modulate",
                          "x [..., C], scale [G, C], shift [G, C] -> activation(x * scale + shift)",
                          false,
                          modulate_shape,
                          modulate_gradient,
                          product_flops};

}  // namespace lipizz::nn
