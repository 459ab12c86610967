#include "nn/graph/operations/broadcasting.hpp"

#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

// True when these are factors [G, C] of groups of x's rows.
bool are_factors_of(const Shape& factors, const Shape& x) {
  return factors.size() == 2 && factors[1] == x.back() &&
         (n_elements(x) / x.back()) % factors[0] == 0;
}

std::uint32_t n_groups(const Graph& graph, ValueId factors) {
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
  request.give(0, g.apply(kBroadcastRows, {sums}, {.shape = x}));
}

Shape broadcast_rows_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && are_factors_of(in[0], attributes.shape), "broadcast_rows", in);
  return attributes.shape;
}

void broadcast_rows_gradient(const GradientRequest& request) {
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
                 g.apply(kProductSums, {*request.upstream, in[0]}, {.groups = n_groups(g, in[1])}));
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

// From the first row of a group to its last.
template <class T>
void sum_rows(const Values<T>& v) {
  const auto x = v.array(0);
  auto sums = v.array();
  const Eigen::Index n = x.rows() / sums.rows();
  sums.setZero();
  for (Eigen::Index i = 0; i < x.rows(); ++i) sums.row(i / n) += x.row(i);
}

template <class T>
void product_sums(const Values<T>& v) {
  sum_groups((v.array(0).template cast<double>() * v.array(1).template cast<double>()).eval(),
             v.array());
}

template <class T>
void modulate(const Values<T>& v) {
  const auto x = v.array(0);
  v.array() = (x * repeated(v.array(1), x.rows()) + repeated(v.array(2), x.rows()))
                  .unaryExpr([kind = v.attributes().activation](T z) { return activate(kind, z); });
}

// Rows in groups: all in one, several, one for each row; a channel, fewer than a vector's, more.
template <class Of>
std::vector<Example> examples_of(const Of& of) {
  std::vector<Example> all;
  for (const std::uint32_t groups : {1U, 2U, 6U, 30U}) {
    for (const std::uint32_t channels : {1U, 3U, 16U, 37U}) {
      all.push_back(of(Shape{6, 5, channels}, Shape{groups, channels}));
    }
  }
  return all;
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

constinit const Operation kFill{
    .name = "fill",
    .summary = "-> number everywhere in `shape`",
    .shape = fill_shape,
    .flops = [](Shapes, const Attributes&) { return std::uint64_t{0}; },
    .reference = reference([](const auto& v) { v.array().setConstant(v.number()); }),
    .examples =
        [] {
          return std::vector<Example>{{{}, {.shape = {1}, .number = -1.5f}},
                                      {{}, {.shape = {3, 5, 7}, .number = 0.1f}}};
        }};
constinit const Operation kSumRows{
    .name = "sum_rows",
    .summary =
        "x [..., C] -> sums over the rows of each of `groups` groups [groups, C], of all [C]",
    .shape = sum_rows_shape,
    .gradient = sum_rows_gradient,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { sum_rows(v); }),
    .examples = [] {
      return examples_of([](const Shape& x, const Shape& factors) {
        return Example{{{x}}, {.groups = factors[0]}};
      });
    }};
constinit const Operation kBroadcastRows{
    .name = "broadcast_rows",
    .summary = "s [G, C] -> in `shape` [..., C] each row of its group",
    .shape = broadcast_rows_shape,
    .gradient = broadcast_rows_gradient,
    .flops = no_flops,
    .reference =
        reference([](const auto& v) { v.array() = repeated(v.array(0), v.array().rows()); }),
    .examples = [] {
      return examples_of([](const Shape& x, const Shape& factors) {
        return Example{{{factors}}, {.shape = x}};
      });
    }};
constinit const Operation kScaleRows{.name = "scale_rows",
                                     .summary = "x [..., C], s [G, C] -> x * s of its group",
                                     .shape = scale_shape,
                                     .gradient = scale_gradient,
                                     .flops = elementwise_flops,
                                     .reference = reference([](const auto& v) {
                                       v.array() =
                                           v.array(0) * repeated(v.array(1), v.array().rows());
                                     }),
                                     .examples = [] {
                                       return examples_of([](const Shape& x, const Shape& factors) {
                                         return Example{{{x}, {factors}}};
                                       });
                                     }};
constinit const Operation kProductSums{
    .name = "product_sums",
    .summary = "a, b [..., C] -> sums of a * b over each of `groups` groups [groups, C]",
    .shape = product_sums_shape,
    .gradient = product_sums_gradient,
    .flops = product_flops,
    .reference = reference([](const auto& v) { product_sums(v); }),
    .examples = [] {
      return examples_of([](const Shape& x, const Shape& factors) {
        return Example{{{x}, {x}}, {.groups = factors[0]}};
      });
    }};
constinit const Operation kModulate{
    .name = "modulate",
    .summary = "x [..., C], scale [G, C], shift [G, C] -> activation(x * scale + shift)",
    .shape = modulate_shape,
    .gradient = modulate_gradient,
    .flops = product_flops,
    .reference = reference([](const auto& v) { modulate(v); }),
    .examples = [] {
      std::vector<Example> all;
      for (const ActivationEntry& entry : activations()) {
        for (Example& example : examples_of([](const Shape&x, const Shape&factors) {
               return Example{{{x}, {factors}, {factors}}};
             })) {
          example.attributes.activation = entry.activation;
          all.push_back(std::move(example));
        }
      }
      return all;
    }};

std::span<const Operation* const> broadcasting_operations() {
  static constexpr const Operation* kAll[] = {&kFill,      &kSumRows,     &kBroadcastRows,
                                              &kScaleRows, &kProductSums, &kModulate};
  return kAll;
}

}  // namespace lipizz::nn
