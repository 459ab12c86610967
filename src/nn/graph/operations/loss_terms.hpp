#pragma once

#include "nn/base/loss.hpp"
#include "nn/graph/operations/elementwise.hpp"
#include "nn/graph/operations/values.hpp"

/// Functions that the records of losses share.
namespace lipizz::nn {

/// The backward pass of a loss, whose derivative may be scaled.
template <const Operation& gradient_operation>
void loss_gradient(const GradientRequest& request) {
  const Node node = request.graph.node(request.result);
  if (!request.is_wanted(0)) return;
  Graph& g = request.graph;
  const ValueId gradient = g.apply(gradient_operation, node.inputs, node.attributes);
  request.give(0, request.upstream ? g.apply(kScaleBy, {gradient, *request.upstream}) : gradient);
}

/// The mean of a term over these numbers, taken in double.
template <class T, class Numbers>
T mean_value(const Loss::Term& term, const Numbers& numbers) {
  const auto values = numbers.unaryExpr([&term](T x) {
    if constexpr (std::is_same_v<T, float>) {
      return double{term.value(x)};
    } else {
      return term.value_f64(x);
    }
  });
  return static_cast<T>(values.mean());
}

/// Its derivatives by them.
template <class T, class Numbers>
Array<T> mean_slope(const Loss::Term& term, const Numbers& numbers) {
  return numbers.unaryExpr([&term](T x) {
    if constexpr (std::is_same_v<T, float>) {
      return term.slope(x);
    } else {
      return term.slope_f64(x);
    }
  }) / static_cast<T>(numbers.size());
}

}  // namespace lipizz::nn
