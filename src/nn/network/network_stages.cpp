#include "nn/network/network_stages.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "nn/graph/operation_cost.hpp"

namespace lipizz::nn {
namespace {

// The cost of a layer, and how many of the network's tensors are its own or an earlier one's.
struct LayerCost {
  double cost = 0;
  std::size_t n_blocks = 0;
  std::size_t n_statistics = 0;
};

using LayerCosts = std::vector<LayerCost>;

double cost_of(const AddedLayer& added) {
  std::uint64_t cost = 0;
  for (std::uint32_t i = added.first.index; i < added.graph.nodes().size(); ++i) {
    if (added.graph.nodes()[i].operation != nullptr) cost += operation_cost(added.graph, {i});
  }
  return static_cast<double>(cost);
}

// Those of the tensors from this one on.
double elements_of(const ParameterLayout& layout, std::size_t first) {
  std::size_t n = 0;
  for (const ParameterBlock& block : std::span(layout.blocks).subspan(first)) {
    n += n_elements(block.shape);
  }
  return static_cast<double>(n);
}

LayerCosts costs_of(const NetworkSpec& network, PipelineBalance balance) {
  LayerCosts costs;
  visit_layers(network, [&](const AddedLayer& added) {
    const std::size_t n_before = costs.empty() ? 0 : costs.back().n_blocks;
    const double cost =
        balance == PipelineBalance::kTime ? cost_of(added) : elements_of(added.layout, n_before);
    costs.push_back({cost, added.layout.blocks.size(), added.layout.statistics.size()});
  });
  return costs;
}

// Where stages end, in layers; the last one's is that of the network.
using Ends = std::vector<std::size_t>;

// Some of the stages, one after the other.
struct StageRange {
  std::size_t first;
  std::size_t end;
};

// As many layers each, the first ones one more where that does not come out even; none outside of
// the range.
Ends even_ends(std::size_t n_layers, std::size_t n_stages, const StageRange& range) {
  Ends ends;
  const std::size_t n = range.end - range.first;
  for (std::size_t stage = 1; stage <= n_stages; ++stage) {
    const std::size_t within = std::clamp(stage, range.first, range.end) - range.first;
    ends.push_back((n_layers * within + n - 1) / n);
  }
  return ends;
}

double cost_between(const LayerCosts& costs, std::size_t first, std::size_t end) {
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) sum += costs[i].cost;
  return sum;
}

// A pair's layers with their cuts.
struct Cut {
  const LayerCosts &g, &d;
  PipelineBalance balance;
  StageRange g_stages, d_stages;
  Ends g_ends, d_ends;

  // The time of both steps, each as long as its slowest stage takes, or the most parameters of a
  // stage. A forward pass costs 1, the derivative by a network's input 1, and that by its
  // parameters 1; a step of the discriminator has real and generated samples. The second number
  // tells cuts that take as long apart: it is less where stages are more alike.
  [[nodiscard]] std::pair<double, double> length() const {
    double g_step = 0;
    double d_step = 0;
    double most = 0;
    double squares = 0;
    for (std::size_t stage = 0; stage < g_ends.size(); ++stage) {
      const double of_g = cost_between(g, stage == 0 ? 0 : g_ends[stage - 1], g_ends[stage]);
      const double of_d = cost_between(d, stage == 0 ? 0 : d_ends[stage - 1], d_ends[stage]);
      g_step = std::max(g_step, 3 * of_g + 2 * of_d);
      d_step = std::max(d_step, of_g + 6 * of_d);
      most = std::max(most, of_g + of_d);
      squares += (of_g + of_d) * (of_g + of_d);
    }
    return {balance == PipelineBalance::kTime ? g_step + d_step : most, squares};
  }
};

// Moves one end of a stage to where the length is least; true where that is another place.
bool move_end(Cut& cut, Ends& ends, std::size_t stage) {
  const std::size_t before = ends[stage];
  const std::size_t first = (stage == 0 ? 0 : ends[stage - 1]) + 1;
  std::size_t best = before;
  auto least = cut.length();
  for (std::size_t end = first; end < ends[stage + 1]; ++end) {
    ends[stage] = end;
    const auto length = cut.length();
    if (length < least) {
      least = length;
      best = end;
    }
  }
  ends[stage] = best;
  return best != before;
}

void balance_stages(Cut& cut) {
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (auto [ends, stages] :
         {std::pair(&cut.g_ends, cut.g_stages), std::pair(&cut.d_ends, cut.d_stages)}) {
      for (std::size_t stage = stages.first; stage + 1 < stages.end; ++stage) {
        is_better |= move_end(cut, *ends, stage);
      }
    }
  }
}

// Where tensors lie that follow one another, from the first up to another one.
Shard range_of(std::span<const ParameterBlock> tensors, std::size_t first, std::size_t end) {
  if (first == end) return {};
  const ParameterBlock& last = tensors[end - 1];
  const std::size_t begin = tensors[first].offset;
  return {begin, last.offset + n_elements(last.shape) - begin};
}

NetworkStages stages_of(const NetworkSpec& network, const LayerCosts& costs, const Ends& ends) {
  const ParameterLayout layout = parameter_layout(network);
  NetworkStages stages;
  LayerCost before{};
  for (std::uint32_t stage = 0; stage < ends.size(); ++stage) {
    stages.of_layer.resize(ends[stage], stage);
    const LayerCost until = ends[stage] == 0 ? before : costs[ends[stage] - 1];
    stages.tensors.push_back(
        {range_of(layout.blocks, before.n_blocks, until.n_blocks),
         range_of(layout.statistics, before.n_statistics, until.n_statistics)});
    before = until;
  }
  return stages;
}

}  // namespace

NetworkStages in_one_stage(const NetworkSpec& network) {
  const ParameterLayout layout = parameter_layout(network);
  const Shard behind{layout.n_parameters, layout.n_padded - layout.n_parameters};
  return {{}, {{{0, layout.n_parameters}, behind}}};
}

PairStages pair_stages(const GanSpec& gan, std::uint32_t n_stages, PipelineBalance balance,
                       const NetworkCuts& cuts) {
  const LayerCosts g = costs_of(gan.generator, balance);
  const LayerCosts d = costs_of(gan.discriminator, balance);
  const auto asked = [n_stages](std::uint32_t n) {
    return n == 0 ? n_stages : std::min(n, n_stages);
  };
  const std::uint32_t n_of_g = asked(cuts.generator);
  const std::uint32_t n_of_d = std::max(asked(cuts.discriminator), n_stages - n_of_g);
  const StageRange g_stages{0, n_of_g};
  const StageRange d_stages{n_stages - n_of_d, n_stages};
  Cut cut{g,
          d,
          balance,
          g_stages,
          d_stages,
          even_ends(g.size(), n_stages, g_stages),
          even_ends(d.size(), n_stages, d_stages)};
  balance_stages(cut);
  return {stages_of(gan.generator, g, cut.g_ends), stages_of(gan.discriminator, d, cut.d_ends)};
}

PairStages pair_stages(const GanSpec& gan, const Pipeline* pipeline) {
  if (pipeline == nullptr) return {in_one_stage(gan.generator), in_one_stage(gan.discriminator)};
  return pair_stages(gan, pipeline->n_stages(), pipeline->balance, pipeline->cuts);
}

}  // namespace lipizz::nn
