#include "coev/recombine.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace lipizz::coev {
namespace {

using Values = nn::Buffer<float> Genome::*;

void set_mean(const Subpopulation& members, NetworkRole role, std::span<const double> weights,
              Values values, Genome& offspring) {
  nn::Buffer<float>& mean = offspring.*values;
  std::ranges::fill(mean, 0.0F);
  for (std::size_t member = 0; member < members.size(); ++member) {
    if (weights[member] == 0) continue;
    const nn::Buffer<float>& of_member = genome(members.pair(member), role).*values;
    LIPIZZ_ASSERT(of_member.size() == mean.size());
    const auto weight = static_cast<float>(weights[member]);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += weight * of_member[i];
  }
}

}  // namespace

void recombine(const Subpopulation& members, NetworkRole role, std::size_t selected,
               std::span<const double> weights, Genome& offspring) {
  LIPIZZ_ASSERT(weights.size() == members.size());
  offspring = genome(members.pair(selected), role);
  offspring.origin = members.cells()[selected];
  if (weights[selected] == 1) return;
  for (const Values values : {&Genome::parameters, &Genome::moments, &Genome::average}) {
    set_mean(members, role, weights, values, offspring);
  }
}

}  // namespace lipizz::coev
