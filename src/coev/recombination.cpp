#include "coev/recombination.hpp"

#include <array>

#include "coev/recombination/average.hpp"
#include "coev/recombination/none.hpp"

namespace lipizz::coev {

std::span<const Recombination* const> recombinations() {
  static constexpr std::array kRecombinations{&kNoRecombination, &kAverageRecombination};
  return kRecombinations;
}

}  // namespace lipizz::coev
