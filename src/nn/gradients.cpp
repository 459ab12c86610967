#include "nn/gradients.hpp"

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

}  // namespace

std::vector<ValueId> add_gradients(Graph& graph, ValueId loss,
                                   std::span<const ValueId> with_respect_to) {
  const std::vector<bool> depends = dependents(graph, loss, with_respect_to);
  std::vector<std::optional<ValueId>> adjoint(loss.index + 1);

  for (std::uint32_t i = loss.index + 1; i-- > 0;) {
    const Operation* operation = graph.nodes()[i].operation;
    const bool is_loss = i == loss.index;
    if (operation == nullptr || !depends[i] || (!is_loss && !adjoint[i])) continue;
    if (operation->gradient == nullptr) {
      throw InternalError("no gradient rule for " + std::string(operation->name));
    }
    const std::vector<ValueId> inputs = graph.nodes()[i].inputs;
    operation->gradient({graph, ValueId{i}, adjoint[i],
                         [&](std::size_t input) { return bool{depends[inputs[input].index]}; },
                         [&](std::size_t input, ValueId gradient) {
                           auto& sum = adjoint[inputs[input].index];
                           sum = sum ? graph.apply(kAdd, {*sum, gradient}) : gradient;
                         }});
  }

  std::vector<ValueId> gradients;
  for (const ValueId value : with_respect_to) {
    if (!adjoint[value.index]) throw InternalError("the loss does not depend on a wanted value");
    gradients.push_back(*adjoint[value.index]);
  }
  return gradients;
}

}  // namespace lipizz::nn
