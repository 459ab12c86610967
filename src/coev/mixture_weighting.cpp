#include "coev/mixture_weighting.hpp"

#include <array>

#include "coev/mixture_weighting/best_member.hpp"
#include "coev/mixture_weighting/equal.hpp"
#include "coev/mixture_weighting/evolution_strategy.hpp"
#include "coev/mixture_weighting/genetic.hpp"
#include "coev/mixture_weighting/pattern_search.hpp"
#include "coev/mixture_weighting/recall.hpp"

namespace lipizz::coev {

std::span<const MixtureWeighting* const> mixture_weightings() {
  static constexpr std::array kWeightings{
      &kEqualWeighting,         &kBestMemberWeighting, &kEvolutionStrategyWeighting,
      &kPatternSearchWeighting, &kGeneticWeighting,    &kRecallWeighting};
  return kWeightings;
}

}  // namespace lipizz::coev
