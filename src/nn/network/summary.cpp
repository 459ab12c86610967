#include "nn/network/summary.hpp"

#include <set>

#include "core/error.hpp"

namespace lipizz::nn {
namespace {

constexpr std::uint64_t kMaxValues = 1ULL << 26;      // of one sample, after any layer
constexpr std::uint64_t kMaxParameters = 1ULL << 30;  // of a network

Shape without_rows(const Shape& shape) {
  return {shape.begin() + 1, shape.end()};
}

void expect_at_most(std::uint64_t limit, std::uint64_t found, std::string_view what) {
  if (found <= limit) return;
  throw ConfigError("expected at most " + std::to_string(limit) + " " + std::string(what) +
                    ", found " + std::to_string(found));
}

std::uint64_t flops_from(const Graph& graph, ValueId first) {
  std::uint64_t flops = 0;
  for (std::uint32_t i = first.index; i < graph.nodes().size(); ++i) {
    if (graph.nodes()[i].operation != nullptr) flops += graph.flops({i});
  }
  return flops;
}

// The inputs' dimensions are bounded one by one; their product may be anything.
void check_inputs(const NetworkSpec& network, const std::string& name) {
  std::uint64_t n = 1;
  for (const std::uint32_t dimension : network.inputs) {
    n *= dimension;
    if (n <= kMaxValues && n > 0) continue;
    throw ConfigError(name + ".inputs: expected 1 to " + std::to_string(kMaxValues) +
                      " values in all, found more or none");
  }
}

std::string place(const std::string& name, std::size_t layer) {
  return name + ".layers[" + std::to_string(layer) + "]: ";
}

// Without an end that leads to the loss, nothing could be learnt.
void check_use(const NetworkSpec& network, const std::string& name) {
  std::set<std::size_t> read;  // as Layer::from counts
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& from = network.layers[i].from;
    read.insert(from.begin(), from.end());
    if (from.empty()) read.insert(i);
  }
  for (std::size_t i = 1; i < network.layers.size(); ++i) {
    if (!read.contains(i)) throw ConfigError(place(name, i - 1) + "no layer reads what it gives");
  }
}

}  // namespace

std::vector<LayerSummary> summarise(const NetworkSpec& network, const std::string& name) {
  check_inputs(network, name);
  std::vector<LayerSummary> layers;
  std::uint64_t n_before = 0;
  try {
    visit_layers(network, [&](const AddedLayer& added) {
      std::uint64_t n_parameters = 0;
      for (const ParameterBlock& block : added.layout.blocks) {
        n_parameters += n_elements(block.shape);
      }
      const Shape& result = added.graph.shape(added.result);
      expect_at_most(kMaxValues, n_elements(result), "values of a sample");
      expect_at_most(kMaxParameters, n_parameters, "parameters");
      layers.push_back({network.layers[layers.size()].kind->name, without_rows(result),
                        n_parameters - n_before, flops_from(added.graph, added.first)});
      n_before = n_parameters;
    });
  } catch (const Error& error) {
    throw ConfigError(place(name, layers.size()) + error.what());
  }
  check_use(network, name);
  return layers;
}

}  // namespace lipizz::nn
