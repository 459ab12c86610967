#include "app/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "nn/base/sample_source.hpp"
#include "nn/cpu/convolution_choice.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/memory_plan.hpp"
#include "nn/graph/operations.hpp"
#include "nn/train/step_graphs.hpp"
#include "setup/engine.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

using nn::ConvolutionAlgorithm;

// One convolution on memory of its own. Between two runs as much other memory is written as the
// plan of the graph that it is from takes, so that its operands lie as far away as most do in a
// step.
class Alone {
  static constexpr std::size_t kMoreThanCaches = 16 << 20;  // floats

 public:
  Alone(const nn::Engine& engine, nn::Graph from, nn::ValueId value, ConvolutionAlgorithm algorithm)
      : others_(std::min(nn::plan_memory(from, 1).n_elements, kMoreThanCaches)) {
    constexpr float kAnything = 0.5f;
    from.set_algorithm(value, algorithm);
    const nn::Graph graph = nn::operation_alone(from, value);
    plan_.emplace(engine, graph, 1);
    for (std::uint32_t slot = 0; slot < graph.slots().size(); ++slot) {
      memory_.emplace_back(graph.slots()[slot].n_elements, kAnything);
      plan_->bind({slot}, 0, std::span<float>(memory_.back()));
    }
  }

  // The mean over a round.
  double seconds() {
    constexpr double kRound_s = 0.05;
    int n = 0;
    double sum = 0;
    const double begin = thread_cpu_s();
    do {
      std::ranges::fill(others_, static_cast<float>(n));
      const double before = thread_cpu_s();
      plan_->run();
      sum += thread_cpu_s() - before;
      ++n;
    } while (thread_cpu_s() - begin < kRound_s);
    return sum / n;
  }

 private:
  nn::Buffer<float> others_;
  std::vector<nn::Buffer<float>> memory_;
  std::optional<nn::Plan<float>> plan_;
};

std::uint32_t microseconds(double seconds) {
  return static_cast<std::uint32_t>(std::max(1.0, std::round(seconds * 1e6)));
}

std::string line(const nn::ConvolutionCase& decided, const nn::ConvolutionChoice& choice,
                 std::uint64_t flops) {
  std::string text;
  for (const std::uint32_t us : choice.microseconds) {
    text += us == 0 ? fmt::format("{:>27} ", "-")
                    : fmt::format("{:8} us {:6.1f} GFLOP/s ", us,
                                  static_cast<double>(flops) / us * 1e-3);
  }
  return text + fmt::format(" {} {} -> {}", decided.operation, nn::to_string(decided.shape.x),
                            nn::to_string(decided.shape.y));
}

// The fastest of those that fit, the first of those that are alike.
nn::ConvolutionChoice choose(const nn::Operation& operation, const nn::ConvolutionShape& shape,
                             const std::function<double(ConvolutionAlgorithm)>& seconds_of) {
  nn::ConvolutionChoice choice;
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < nn::kConvolutionAlgorithms.size(); ++i) {
    const ConvolutionAlgorithm algorithm = nn::kConvolutionAlgorithms[i].algorithm;
    if (!nn::fits(algorithm, operation, shape)) continue;
    choice.microseconds[i] = microseconds(seconds_of(algorithm));
    if (choice.microseconds[i] >= least) continue;
    least = choice.microseconds[i];
    choice.algorithm = algorithm;
  }
  return choice;
}

void expect_convolutions(const std::vector<nn::Graph>& graphs,
                         const config::Experiment& experiment) {
  for (const nn::Graph& graph : graphs) {
    const auto is_convolution = [&](nn::ValueId value) { return nn::is_convolution(graph, value); };
    if (std::ranges::any_of(graph.live_operations(), is_convolution)) return;
  }
  const config::Model& model = experiment.model;
  throw ConfigError("tune: the model " + (model.is_written_out() ? "" : model.name + " ") +
                    "has no convolutions; there is nothing to choose");
}

nn::Engine engine_to_tune(config::Experiment experiment) {
  if (experiment.compute.device == "auto") experiment.compute.device = "cpu";
  if (nn::parse_backend(experiment.compute.engine) != nn::Backend::kOneDnn) {
    throw ConfigError("tune: engine " + experiment.compute.engine +
                      " has one algorithm for convolutions; there is nothing to choose");
  }
  const bool is_auto = experiment.compute.numerics == "auto";
  nn::Engine engine = setup::engine_of(
      experiment, is_auto ? setup::numerics_levels(experiment).back() : experiment.compute.numerics,
      nn::ConvolutionTable::committed());
  nn::check_bf16(engine);
  engine.level = nn::convolution_level(engine);
  if (!nn::has_bf16(engine.level)) engine.precision = nn::Precision::kF32;
  return engine;
}

}  // namespace

double seconds_of(const nn::Engine& engine, const nn::Graph& graph, nn::ValueId convolution,
                  ConvolutionAlgorithm algorithm) {
  constexpr std::size_t kRounds = 7;
  nn::fix_numerics(engine);
  nn::prepare_compute_thread();
  Alone alone(engine, graph, convolution, algorithm);
  std::vector<double> rounds(kRounds);
  std::ranges::generate(rounds, [&] { return alone.seconds(); });
  std::ranges::nth_element(rounds, rounds.begin() + kRounds / 2);
  return rounds[kRounds / 2];
}

nn::ConvolutionTable tuned(const config::Experiment& experiment, const MeasureConvolution& measure,
                           const std::function<void(const std::string&)>& tell) {
  const coev::Settings settings = setup::settings_of(experiment);
  const nn::Engine engine = engine_to_tune(experiment);
  nn::ConvolutionTable table = setup::convolutions_of(experiment);
  std::set<nn::ConvolutionCase> seen;
  const nn::NoSamples source(settings.model.sample());
  using enum coev::NetworkRole;
  const std::vector<nn::Graph> graphs{
      nn::generator_step_graph(settings.model, settings.generator.optimizer, settings.batch_size,
                               coev::step_options(settings, kGenerator), {&source})
          .graph,
      nn::discriminator_step_graph(settings.model, settings.discriminator.optimizer,
                                   settings.batch_size,
                                   coev::step_options(settings, kDiscriminator), {&source})
          .graph};
  expect_convolutions(graphs, experiment);
  tell(fmt::format("numerics {}, precision {}:", to_string(engine.level),
                   to_string(engine.precision)));
  std::string head;
  for (const nn::NamedAlgorithm& algorithm : nn::kConvolutionAlgorithms)
    head += fmt::format("{:>27} ", algorithm.name);
  tell(head);
  for (const nn::Graph& graph : graphs) {
    for (const nn::ValueId value : graph.live_operations()) {
      if (!nn::is_convolution(graph, value)) continue;
      const nn::ConvolutionCase found = nn::case_of(graph, value, engine.level);
      if (!seen.insert(found).second) continue;
      const nn::Operation& operation = *graph.node(value).operation;
      const nn::ConvolutionChoice choice = choose(
          operation, found.shape,
          [&](ConvolutionAlgorithm algorithm) { return measure(engine, graph, value, algorithm); });
      table.set(found, choice);
      tell(line(found, choice, graph.flops(value)));
    }
  }
  return table;
}

}  // namespace lipizz::app
