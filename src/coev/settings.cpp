#include "coev/settings.hpp"

#include <algorithm>
#include <cstddef>

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

std::uint32_t rows_at_once(const nn::GanSpec& model) {
  constexpr std::size_t kMostRows = 250;
  constexpr std::size_t kMostValues = 1U << 24;  // 64 MB
  const std::size_t values =
      std::max(most_values(model.generator), most_values(model.discriminator));
  return static_cast<std::uint32_t>(std::clamp(kMostValues / values, std::size_t{1}, kMostRows));
}

}  // namespace lipizz::coev
