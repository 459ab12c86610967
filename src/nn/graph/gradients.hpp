#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Appends to `graph` the operations that compute d loss / d value for each value of
/// `with_respect_to` (backpropagation: automatic differentiation in reverse mode), and returns
/// their results in that order; several losses are added up, times `scale` [1] where there is one.
/// Only what these need is computed: a network whose parameters are not asked for gets no weight
/// gradients. Results are values like others: a loss made of them has gradients, too.
///
/// `ready(i, gradient)` is called once for each of these values, last used first, when no operation
/// of the loss or of its gradients reads the value any more: what overwrites it may be appended.
///
/// InternalError when an operation on the way has no gradient rule, or when the loss does not
/// depend on a value.
using GradientReady = std::function<void(std::size_t i, ValueId gradient)>;
std::vector<ValueId> add_gradients(Graph& graph, ValueId loss,
                                   std::span<const ValueId> with_respect_to,
                                   const GradientReady& ready = {});
std::vector<ValueId> add_gradients(Graph& graph, std::span<const ValueId> losses,
                                   std::span<const ValueId> with_respect_to,
                                   const GradientReady& ready = {},
                                   std::optional<ValueId> scale = {});

/// The same for the sum of `upstream` * `value`, element by element.
std::vector<ValueId> add_derivatives(Graph& graph, ValueId value, ValueId upstream,
                                     std::span<const ValueId> with_respect_to);

}  // namespace lipizz::nn
