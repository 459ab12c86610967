#include "coev/settings.hpp"

#include <algorithm>
#include <cstddef>

#include "coev/genome.hpp"
#include "coev/period.hpp"
#include "nn/network/summary.hpp"

namespace lipizz::coev {
namespace {

// The most values that any of its layers gives for one sample.
std::size_t most_values(const nn::NetworkSpec& network) {
  std::size_t most = 1;
  for (const nn::LayerSummary& layer : nn::summarise(network, "model")) {
    most = std::max(most, nn::n_elements(layer.outputs));
  }
  return most;
}

}  // namespace

nn::StepOptions step_options(const Settings& settings, NetworkRole role) {
  const NetworkSettings& opponent = network_settings(settings, opposite(role));
  nn::StepOptions options = settings.steps;
  options.n_micro_batches = network_settings(settings, role).n_micro_batches;
  options.zero_of_opponent = opponent.optimizer.zero;
  options.n_micro_batches_of_opponent = opponent.n_micro_batches;
  return options;
}

bool evaluates_members(const Operators& operators) {
  return operators.selection->copies_neighbours || operators.replacement->compares_fitness;
}

bool evaluates_members(const Operators& operators, Generation generation) {
  return operators.replacement->compares_fitness ||
         (operators.selection->copies_neighbours && is_due(generation, operators.selection));
}

bool compares_offspring(const Operators& operators) {
  return operators.replacement->compares_fitness || operators.n_offspring > 1;
}

std::uint32_t n_offspring_samples(const Settings& settings) {
  const std::uint32_t n = settings.operators.fitness.n_samples;
  if (compares_offspring(settings.operators)) return n;
  return std::min({n, settings.batch_size, rows_at_once(settings.model)});
}

std::uint32_t rows_at_once(const nn::GanSpec& model) {
  constexpr std::size_t kMostRows = 250;
  constexpr std::size_t kMostValues = 1U << 24;  // 64 MB
  const std::size_t values =
      std::max(most_values(model.generator), most_values(model.discriminator));
  return static_cast<std::uint32_t>(std::clamp(kMostValues / values, std::size_t{1}, kMostRows));
}

}  // namespace lipizz::coev
