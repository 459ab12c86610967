#pragma once

#include "nn/graph/graph.hpp"

/// What the operations of scaling.cpp are put together to.
namespace lipizz::nn {

/// a * b, element by element.
ValueId multiply(Graph& graph, ValueId a, ValueId b);

/// Sums of a * b over each sample's elements: [N, ...] -> [N, 1].
ValueId row_products(Graph& graph, ValueId a, ValueId b);

}  // namespace lipizz::nn
