#include "coev/mixture_weighting.hpp"

#include <array>

#include "coev/mixture_weighting/equal.hpp"
#include "coev/mixture_weighting/evolution_strategy.hpp"

namespace lipizz::coev {

std::span<const MixtureWeighting* const> mixture_weightings() {
  static constexpr std::array kWeightings{&kEqualWeighting, &kEvolutionStrategyWeighting};
  return kWeightings;
}

}  // namespace lipizz::coev
