#pragma once

#include "nn/graph/operation.hpp"

/// Products by channel and sums over rows, closed under differentiation: the derivatives of each
/// are made of the others. x is [N, ..., C], its rows in as many equal groups as a factor [G, C]
/// has rows.
namespace lipizz::nn {

extern const Operation kFill;
extern const Operation kSumRows;
extern const Operation kBroadcastRows;
extern const Operation kScaleRows;
extern const Operation kProductSums;
extern const Operation kModulate;

std::span<const Operation* const> broadcasting_operations();

/// a * b, element by element.
ValueId multiply(Graph& graph, ValueId a, ValueId b);

/// Sums of a * b over each sample's elements: [N, ...] -> [N, 1].
ValueId row_products(Graph& graph, ValueId a, ValueId b);

}  // namespace lipizz::nn
