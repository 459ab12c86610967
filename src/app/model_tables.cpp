#include "app/model_tables.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "coev/genome.hpp"
#include "coev/settings.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/network/models.hpp"
#include "nn/network/summary.hpp"
#include "nn/train/program_memory.hpp"
#include "nn/train/step_graphs.hpp"
#include "setup/resolve.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

// 1068928 as 1,068,928.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

double millions(std::uint64_t number) {
  return static_cast<double>(number) / 1e6;
}

std::string network_table(const nn::NetworkSpec& network, const std::string& name) {
  std::string text =
      fmt::format("  {:<28}{:<16}{:>12}{:>12}\n", name, "output", "parameters", "MFLOP");
  std::size_t index = 0;
  for (const nn::LayerSummary& layer : nn::summarise(network, name)) {
    text += fmt::format("  {:<28}{:<16}{:>12}{:>12.3f}\n",
                        fmt::format("{:>3} {}", index++, layer.kind), nn::to_string(layer.outputs),
                        grouped(layer.n_parameters), millions(layer.flops));
  }
  return text;
}

std::size_t moment_bytes(const nn::NetworkSpec& network, const nn::OptimizerSpec& optimizer) {
  return coev::GenomeShape(network, optimizer).n_moments * sizeof(float);
}

std::string totals(const nn::GanSpec& gan) {
  const config::Experiment experiment;
  const coev::Settings defaults = setup::settings_of(setup::resolved(experiment));
  const nn::OptimizerSpec& optimizer = defaults.generator.optimizer;
  const std::uint32_t batch = defaults.batch_size;
  const nn::Engine engine{nn::fastest_backend()};
  const std::size_t n_parameters = nn::parameter_layout(gan.generator).n_parameters +
                                   nn::parameter_layout(gan.discriminator).n_parameters;
  const auto gflop = [&](const nn::StepGraph& step) {
    return static_cast<double>(step.graph.flops()) / batch / 1e9;
  };
  return fmt::format(
      "  {} parameters; a sample of a training step takes {:.4f} GFLOP for the generator, {:.4f} "
      "for "
      "the discriminator\n"
      "  a cell at batch {}: parameters {:.1f} MB, moments {:.1f} MB, workspace {:.1f} MB\n",
      grouped(n_parameters), gflop(nn::generator_step_graph(gan, optimizer, batch)),
      gflop(nn::discriminator_step_graph(gan, optimizer, batch)), batch,
      millions(n_parameters * sizeof(float)),
      millions(moment_bytes(gan.generator, optimizer) + moment_bytes(gan.discriminator, optimizer)),
      millions((nn::generator_step_bytes(engine, gan, optimizer, batch) +
                nn::discriminator_step_bytes(engine, gan, optimizer, batch))
                   .total()));
}

}  // namespace

std::string model_tables() {
  std::string text;
  for (const nn::ModelEntry& model : nn::models()) {
    const nn::GanSpec gan = nn::make_model(model.name);
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", model.name, model.summary) +
            network_table(gan.generator, "generator") +
            network_table(gan.discriminator, "discriminator") + totals(gan);
  }
  return text;
}

}  // namespace lipizz::app
