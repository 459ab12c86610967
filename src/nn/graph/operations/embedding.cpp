#include "nn/graph/operations/embedding.hpp"

#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape embedding_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0].size() == 1 && in[1].size() == 2, "embedding", in);
  return {in[0][0], in[1][1]};
}

void embedding_rule(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> in = g.node(request.result).inputs;
  if (!request.is_wanted(1)) return;
  request.give(1,
               g.apply(kEmbeddingGradient, {in[0], *request.upstream}, {.shape = g.shape(in[1])}));
}

Shape embedding_gradient_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && in[0].size() == 1 && in[1].size() == 2 && in[0][0] == in[1][0] &&
              attributes.shape.size() == 2 && attributes.shape[1] == in[1][1],
          "embedding_gradient", in);
  return attributes.shape;
}

void embedding_gradient_rule(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> in = g.node(request.result).inputs;
  if (request.is_wanted(1)) request.give(1, g.apply(kEmbedding, {in[0], *request.upstream}));
}

// A row of the table for each class: one of `table`, to be read or added to.
template <class T, class Each>
void for_each_class(const Values<T>& v, ArrayMap<T> table, const Each& each) {
  for (Eigen::Index i = 0; i < Eigen::Index{v.shape(0)[0]}; ++i) {
    each(i, table.row(static_cast<Eigen::Index>(v.data(0)[i])));
  }
}

template <class T>
void embedding(const Values<T>& v) {
  auto out = v.array();
  for_each_class(v, v.array(1), [&](Eigen::Index i, const auto& row) { out.row(i) = row; });
}

template <class T>
void embedding_gradient(const Values<T>& v) {
  v.array().setZero();
  for_each_class(v, v.array(), [&](Eigen::Index i, auto row) { row += v.array(1).row(i); });
}

ExampleInput classes(std::uint32_t n, std::uint32_t below) {
  return {{n}, Drawn::kIndices, below};
}

}  // namespace

constinit const Operation kEmbedding{
    .name = "embedding",
    .summary = "classes [N], table [K, E] -> each one's row [N, E]",
    .shape = embedding_shape,
    .gradient = embedding_rule,
    .flops = no_flops,
    .reference = reference([](const auto& v) { embedding(v); }),
    .examples = [] {
      return std::vector<Example>{
          {{classes(1, 1), {{1, 1}}}}, {{classes(7, 3), {{3, 5}}}}, {{classes(5, 40), {{40, 33}}}}};
    }};
constinit const Operation kEmbeddingGradient{
    .name = "embedding_gradient",
    .summary = "classes [N], dy [N, E] -> sums of dy by class, in `shape` [K, E]",
    .shape = embedding_gradient_shape,
    .gradient = embedding_gradient_rule,
    .flops = no_flops,
    .reference = reference([](const auto& v) { embedding_gradient(v); }),
    .examples = [] {
      return std::vector<Example>{{{classes(1, 1), {{1, 1}}}, {.shape = {1, 1}}},
                                  {{classes(7, 3), {{7, 5}}}, {.shape = {3, 5}}},
                                  {{classes(5, 40), {{5, 33}}}, {.shape = {40, 33}}}};
    }};

std::span<const Operation* const> embedding_operations() {
  static constexpr const Operation* kAll[] = {&kEmbedding, &kEmbeddingGradient};
  return kAll;
}

}  // namespace lipizz::nn
