// Every convolution of a pair's training steps in both of the fast engine's ways, on one core:
//
//     bench_convolutions [MODEL [BATCH]]     dcgan64 at batch 64 when not told otherwise
//
// The share is that of the peak that this program measures in the same run. What it prints is what
// nn/cpu/convolution_choice.cpp goes by.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "median.hpp"
#include "nn/operations.hpp"
#include "nn/plan.hpp"
#include "nn/training_graphs.hpp"
#include "peak.hpp"

namespace lipizz::bench {
namespace {

constexpr int kRounds = 7;
constexpr double kRound_s = 0.05;
constexpr std::array kConvolutions{&nn::kConvolution, &nn::kTransposedConvolution,
                                   &nn::kConvolutionWeights};

// One operation on memory of its own.
class Alone {
 public:
  Alone(const nn::Engine& engine, const nn::Graph& from, nn::ValueId value,
        nn::ConvolutionWay way) {
    const nn::Node& node = from.node(value);
    nn::Graph graph;
    std::vector<nn::ValueId> inputs;
    for (const nn::ValueId input : node.inputs) {
      const nn::Shape& shape = from.shape(input);
      inputs.push_back(graph.view(add(graph, nn::n_elements(shape)), 0, shape));
    }
    nn::Attributes attributes = node.attributes;
    attributes.way = way;
    const nn::ValueId result = graph.apply(*node.operation, inputs, attributes);
    graph.place(result, add(graph, nn::n_elements(node.shape)), 0);
    plan_.emplace(engine, graph, 1);
    for (std::uint32_t slot = 0; slot < memory_.size(); ++slot) {
      plan_->bind({slot}, 0, std::span<float>(memory_[slot]));
    }
  }

  double seconds() {
    int n = 0;
    const double begin = thread_cpu_s();
    do {
      plan_->run();
      ++n;
    } while (thread_cpu_s() - begin < kRound_s);
    return (thread_cpu_s() - begin) / n;
  }

 private:
  nn::SlotId add(nn::Graph& graph, std::size_t n) {
    memory_.emplace_back(n, 0.5f);
    return graph.add_slot("", n, nn::Slot::Access::kReadWrite);
  }

  std::vector<nn::Buffer<float>> memory_;
  std::optional<nn::Plan<float>> plan_;
};

std::string described(const nn::Graph& graph, nn::ValueId value) {
  const nn::Node& node = graph.node(value);
  std::string text(node.operation->name);
  for (const nn::ValueId input : node.inputs) text += " " + nn::to_string(graph.shape(input));
  return text + " -> " + nn::to_string(node.shape);
}

double median_share(Alone& alone, double flops) {
  std::vector<double> shares;
  for (int round = 0; round < kRounds; ++round) {
    shares.push_back(flops / peak_flops_per_s() / alone.seconds());
  }
  return 100 * median(shares);
}

void run(const std::string& model, std::uint32_t batch) {
  const nn::Engine engine{nn::Backend::kOneDnn, nn::detect_numerics_level()};
  nn::fix_numerics(engine);
  nn::prepare_compute_thread();
  const nn::GanSpec gan = nn::make_model(model);
  std::set<std::string> seen;
  std::printf("%% of the peak, %s, batch %u\n%8s %10s\n", model.c_str(), batch, "windows",
              "primitive");
  for (const nn::Graph& graph : {nn::generator_step_graph(gan, {}, batch).graph,
                                 nn::discriminator_step_graph(gan, {}, batch).graph}) {
    for (const nn::ValueId value : graph.live_operations()) {
      if (std::ranges::count(kConvolutions, graph.node(value).operation) == 0) continue;
      const std::string text = described(graph, value);
      if (!seen.insert(text).second) continue;
      const auto flops = static_cast<double>(graph.flops(value));
      Alone windows(engine, graph, value, nn::ConvolutionWay::kWindows);
      Alone primitive(engine, graph, value, nn::ConvolutionWay::kPrimitive);
      std::printf("%8.1f %10.1f  %s\n", median_share(windows, flops),
                  median_share(primitive, flops), text.c_str());
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace lipizz::bench

int main(int argc, char** argv) {
  try {
    const std::string model = argc > 1 ? argv[1] : "dcgan64";
    lipizz::bench::run(model, argc > 2 ? static_cast<std::uint32_t>(std::stoul(argv[2])) : 64);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_convolutions: %s\n", error.what());
    return 2;
  }
}
