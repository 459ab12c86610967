#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "nn/graph.hpp"

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

}  // namespace lipizz::nn
