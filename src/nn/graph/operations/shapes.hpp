#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "nn/graph/operations.hpp"

/// What the shape rules of several operations share.
namespace lipizz::nn {

using Shapes = std::span<const Shape>;

/// InternalError naming the operation and the shapes unless `condition` holds.
void require(bool condition, std::string_view operation, Shapes inputs);

/// None: only copies.
std::uint64_t no_flops(Shapes in, const Attributes&);

/// One for each element of the first input.
std::uint64_t elementwise_flops(Shapes in, const Attributes&);

/// The derivative by what an operation's activation is applied to, given that by its result.
ValueId before_activation(Graph& graph, ValueId upstream, ValueId result);

/// Of products a b, each transposed where its attribute says so: products again.
template <const Operation& product>
void matmul_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId dy = *request.upstream;
  const bool ta = node.attributes.transpose_a;
  const bool tb = node.attributes.transpose_b;
  if (request.is_wanted(0)) {
    const ValueId b = node.inputs[1];
    request.give(0, ta ? g.apply(product, {b, dy}, {.transpose_a = tb, .transpose_b = true})
                       : g.apply(product, {dy, b}, {.transpose_b = !tb}));
  }
  if (request.is_wanted(1)) {
    const ValueId a = node.inputs[0];
    request.give(1, tb ? g.apply(product, {dy, a}, {.transpose_a = true, .transpose_b = ta})
                       : g.apply(product, {a, dy}, {.transpose_a = !ta}));
  }
}

}  // namespace lipizz::nn
