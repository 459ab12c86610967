#include "coev/recombine.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace lipizz::coev {
namespace {

using Values = nn::SharedBuffer<float> Genome::*;

// Elements that are added up over all members before the next ones, in the cache that is nearest.
constexpr std::size_t kBlock = 2048;

void set_mean(const Subpopulation& members, NetworkRole role, std::span<const double> weights,
              Values values, Genome& offspring) {
  const nn::SharedBuffer<float>& first = genome(members.pair(0), role).*values;
  (offspring.*values).reset(first.size(), first.storage());
  const std::span<float> mean = (offspring.*values).writable();
  for (std::size_t begin = 0; begin < mean.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, mean.size());
    std::fill(mean.begin() + begin, mean.begin() + end, 0.0F);
    for (std::size_t member = 0; member < members.size(); ++member) {
      if (weights[member] == 0) continue;
      const std::span<const float> of_member = genome(members.pair(member), role).*values;
      LIPIZZ_ASSERT(of_member.size() == mean.size());
      const auto weight = static_cast<float>(weights[member]);
      for (std::size_t i = begin; i < end; ++i) mean[i] += weight * of_member[i];
    }
  }
}

}  // namespace

void recombine(const Subpopulation& members, NetworkRole role, std::size_t selected,
               std::span<const double> weights, Genome& offspring) {
  LIPIZZ_ASSERT(weights.size() == members.size());
  const Genome& from = genome(members.pair(selected), role);
  if (weights[selected] == 1) {
    offspring = from;
  } else {
    offspring.learning_rate = from.learning_rate;
    offspring.loss = from.loss;
    offspring.step = from.step;
    offspring.loss_scale = from.loss_scale;
    for (const Values values : {&Genome::parameters, &Genome::moments, &Genome::average}) {
      set_mean(members, role, weights, values, offspring);
    }
  }
  offspring.origin = members.cells()[selected];
}

}  // namespace lipizz::coev
