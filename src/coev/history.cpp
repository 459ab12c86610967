#include "coev/history.hpp"

#include <algorithm>
#include <span>

#include "coev/settings.hpp"

namespace lipizz::coev {

HistorySpec history_spec(const Settings& settings, NetworkRole role) {
  const Configured<Opponents>& opponents = network_settings(settings, opposite(role)).opponents;
  return opponents->history == nullptr ? HistorySpec{} : opponents->history(opponents.values());
}

std::size_t history_size(const HistorySpec& spec, Generation generation) {
  return std::min(spec.size, generation / spec.period);
}

std::size_t history_bytes(const Settings& settings) {
  const PerRole<GenomeShape> shapes = genome_shapes(settings);
  std::size_t n = 0;
  for (const NetworkRole role : kNetworkRoles) {
    n += history_spec(settings, role).size * shapes[role].n_parameters;
  }
  return n * sizeof(float);
}

void remember(const Settings& settings, const Pair& centre, Generation generation,
              History& history) {
  for (const NetworkRole role : kNetworkRoles) {
    const HistorySpec spec = history_spec(settings, role);
    if (spec.size == 0 || generation % spec.period != 0) continue;
    history[role].push_back(genome(centre, role).parameters);
    if (history[role].size() > spec.size) history[role].erase(history[role].begin());
  }
}

void hash(Hasher& hasher, const History& history) {
  for (const NetworkRole role : kNetworkRoles) {
    for (const nn::SharedBuffer<float>& parameters : history[role]) {
      hasher.values(std::span<const float>(parameters));
    }
  }
}

}  // namespace lipizz::coev
