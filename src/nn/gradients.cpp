#include "nn/gradients.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "nn/operations.hpp"

namespace lipizz::nn {
namespace {

// Which of the nodes up to `loss` lead from one of the wanted values.
std::vector<bool> dependents(const Graph& graph, ValueId loss, std::span<const ValueId> wanted) {
  std::vector<bool> depends(loss.index + 1, false);
  for (const ValueId value : wanted) depends[value.index] = true;
  for (std::uint32_t i = 0; i <= loss.index; ++i) {
    for (const ValueId input : graph.nodes()[i].inputs) {
      if (depends[input.index]) depends[i] = true;
    }
  }
  return depends;
}

// For each wanted value the first operation that reads it: the last one that the reverse sweep
// meets.
std::vector<std::uint32_t> first_uses(const Graph& graph, ValueId loss,
                                      std::span<const ValueId> wanted) {
  std::vector<std::uint32_t> first;
  for (const ValueId value : wanted) {
    std::uint32_t i = value.index;
    while (i <= loss.index && !std::ranges::count(graph.nodes()[i].inputs, value)) ++i;
    if (i > loss.index) throw InternalError("the loss does not depend on a wanted value");
    first.push_back(i);
  }
  return first;
}

using Adjoints = std::vector<std::optional<ValueId>>;

// Appends the gradient rule of operation i and adds what it gives to its inputs' adjoints.
void apply_rule(Graph& graph, std::uint32_t i, const std::vector<bool>& depends,
                Adjoints& adjoint) {
  const Operation& operation = *graph.nodes()[i].operation;
  if (operation.gradient == nullptr) {
    throw InternalError("no gradient rule for " + std::string(operation.name));
  }
  const std::vector<ValueId> inputs = graph.nodes()[i].inputs;
  operation.gradient({graph, ValueId{i}, adjoint[i],
                      [&](std::size_t input) { return bool{depends[inputs[input].index]}; },
                      [&](std::size_t input, ValueId gradient) {
                        auto& sum = adjoint[inputs[input].index];
                        sum = sum ? graph.apply(kAdd, {*sum, gradient}) : gradient;
                      }});
}

}  // namespace

std::vector<ValueId> add_gradients(Graph& graph, ValueId loss,
                                   std::span<const ValueId> with_respect_to,
                                   const GradientReady& ready) {
  const std::vector<std::uint32_t> first_use = first_uses(graph, loss, with_respect_to);
  const std::vector<bool> depends = dependents(graph, loss, with_respect_to);
  Adjoints adjoint(loss.index + 1);
  std::vector<ValueId> gradients(with_respect_to.size());

  for (std::uint32_t i = loss.index + 1; i-- > 0;) {
    const bool is_reached = i == loss.index || adjoint[i];
    if (graph.nodes()[i].operation != nullptr && depends[i] && is_reached) {
      apply_rule(graph, i, depends, adjoint);
    }
    for (std::size_t w = 0; w < with_respect_to.size(); ++w) {
      if (first_use[w] != i) continue;
      const auto& gradient = adjoint[with_respect_to[w].index];
      if (!gradient) throw InternalError("the loss does not depend on a wanted value");
      gradients[w] = *gradient;
      if (ready) ready(w, *gradient);
    }
  }
  return gradients;
}

}  // namespace lipizz::nn
