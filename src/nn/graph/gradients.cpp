#include "nn/graph/gradients.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

// Which of the first n nodes lead from one of the wanted values.
std::vector<bool> dependents(const Graph& graph, std::uint32_t n, std::span<const ValueId> wanted) {
  std::vector<bool> depends(n, false);
  for (const ValueId value : wanted) depends[value.index] = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const ValueId input : graph.nodes()[i].inputs) {
      if (depends[input.index]) depends[i] = true;
    }
  }
  return depends;
}

// Where the sweep begins: a loss, or a value with what multiplies it.
struct Seed {
  ValueId value;
  std::optional<ValueId> upstream = {};
};

// Which of the first n nodes a seed is made of: a graph may hold more than one loss.
std::vector<bool> parts_of(const Graph& graph, std::uint32_t n, std::span<const Seed> seeds) {
  std::vector<bool> is_part(n, false);
  for (const Seed& seed : seeds) is_part[seed.value.index] = true;
  for (std::uint32_t i = n; i-- > 0;) {
    if (!is_part[i]) continue;
    for (const ValueId input : graph.nodes()[i].inputs) is_part[input.index] = true;
  }
  return is_part;
}

// For each wanted value the first of the seeds' operations that reads it: the last one that the
// reverse sweep meets.
std::vector<std::uint32_t> first_uses(const Graph& graph, const std::vector<bool>& is_part,
                                      std::span<const ValueId> wanted) {
  const auto n = static_cast<std::uint32_t>(is_part.size());
  std::vector<std::uint32_t> first;
  for (const ValueId value : wanted) {
    const auto reads = [&](std::uint32_t i) {
      return is_part[i] && std::ranges::count(graph.nodes()[i].inputs, value) > 0;
    };
    std::uint32_t i = value.index;
    while (i < n && !reads(i)) ++i;
    if (i == n) throw InternalError("the loss does not depend on a wanted value");
    first.push_back(i);
  }
  return first;
}

using Adjoints = std::vector<std::optional<ValueId>>;

// The request to operation i; what that gives is added to its inputs' adjoints.
GradientRequest request_of(Graph& graph, std::uint32_t i, const std::vector<bool>& depends,
                           Adjoints& adjoint) {
  return {
      graph, ValueId{i}, adjoint[i],
      [&depends, inputs = graph.nodes()[i].inputs](std::size_t input) {
        return bool{depends[inputs[input].index]};
      },
      [&graph, &adjoint, inputs = graph.nodes()[i].inputs](std::size_t input, ValueId gradient) {
        auto& sum = adjoint[inputs[input].index];
        sum = sum ? graph.apply(kAdd, {*sum, gradient}) : gradient;
      }};
}

// Appends the gradient rule of operation i, or of those that it is the last of.
void apply_rule(Graph& graph, std::uint32_t i, const std::vector<bool>& depends,
                Adjoints& adjoint) {
  const Operation& operation = *graph.nodes()[i].operation;
  const std::uint32_t n_joint = graph.nodes()[i].n_joint;
  if (n_joint > 0 ? operation.joint_gradient == nullptr : operation.gradient == nullptr) {
    throw InternalError("no gradient rule for " + std::string(operation.name));
  }
  if (n_joint == 0) return operation.gradient(request_of(graph, i, depends, adjoint));
  std::vector<GradientRequest> requests;
  for (std::uint32_t part = i + 1 - n_joint; part <= i; ++part) {
    if (!adjoint[part]) throw InternalError("the loss depends on some of what is joined alone");
    requests.push_back(request_of(graph, part, depends, adjoint));
  }
  operation.joint_gradient(requests);
  for (std::uint32_t part = i + 1 - n_joint; part < i; ++part) adjoint[part].reset();
}

std::vector<ValueId> sweep(Graph& graph, std::span<const Seed> seeds,
                           std::span<const ValueId> with_respect_to, const GradientReady& ready) {
  const std::uint32_t n = std::ranges::max(seeds, {}, &Seed::value).value.index + 1;
  const std::vector<std::uint32_t> first_use =
      first_uses(graph, parts_of(graph, n, seeds), with_respect_to);
  const std::vector<bool> depends = dependents(graph, n, with_respect_to);
  Adjoints adjoint(n);
  std::vector<bool> is_reached(n, false);
  for (const Seed& seed : seeds) {
    adjoint[seed.value.index] = seed.upstream;
    is_reached[seed.value.index] = true;
  }
  std::vector<ValueId> gradients(with_respect_to.size());
  for (std::uint32_t i = n; i-- > 0;) {
    graph.set_stage(graph.nodes()[i].stage);
    const auto leads_on = [&](ValueId input) { return bool{depends[input.index]}; };
    const bool is_on_the_way = std::ranges::any_of(graph.nodes()[i].inputs, leads_on);
    if (is_on_the_way && (is_reached[i] || adjoint[i])) {
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

}  // namespace

std::vector<ValueId> add_gradients(Graph& graph, ValueId loss,
                                   std::span<const ValueId> with_respect_to,
                                   const GradientReady& ready) {
  return add_gradients(graph, std::span(&loss, 1), with_respect_to, ready);
}

std::vector<ValueId> add_gradients(Graph& graph, std::span<const ValueId> losses,
                                   std::span<const ValueId> with_respect_to,
                                   const GradientReady& ready, std::optional<ValueId> scale) {
  std::vector<Seed> seeds;
  for (const ValueId loss : losses) seeds.push_back({loss, scale});
  return sweep(graph, seeds, with_respect_to, ready);
}

std::vector<ValueId> add_derivatives(Graph& graph, ValueId value, ValueId upstream,
                                     std::span<const ValueId> with_respect_to) {
  const Seed seed{value, upstream};
  return sweep(graph, std::span(&seed, 1), with_respect_to, {});
}

}  // namespace lipizz::nn
