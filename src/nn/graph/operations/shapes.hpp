#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "nn/graph/operation.hpp"

/// Functions that the records of several families share.
namespace lipizz::nn {

using Shapes = std::span<const Shape>;
using Drawn = ExampleInput::Drawn;

/// InternalError naming the operation and the shapes unless `condition` holds.
void require(bool condition, std::string_view operation, Shapes inputs);

/// The shape of the first input.
Shape first_shape(Shapes in, const Attributes&);

/// None: only copies.
std::uint64_t no_flops(Shapes in, const Attributes&);

/// One for each element of the first input.
std::uint64_t elementwise_flops(Shapes in, const Attributes&);

/// The derivative by what an operation's activation is applied to, given that by its result.
ValueId before_activation(Graph& graph, ValueId upstream, ValueId result);

/// The backward pass of an operation that is linear in its first input: the adjoint operation, with
/// the other inputs and the attributes as they are.
template <const Operation& adjoint>
void adjoint_gradient(const GradientRequest& request) {
  if (!request.is_wanted(0)) return;
  const Node node = request.graph.node(request.result);
  std::vector<ValueId> inputs = node.inputs;
  inputs[0] = *request.upstream;
  request.give(0, request.graph.apply(adjoint, std::move(inputs), node.attributes));
}

}  // namespace lipizz::nn
