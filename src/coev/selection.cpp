#include "coev/selection.hpp"

#include <array>

#include "coev/selection/exploit.hpp"
#include "coev/selection/none.hpp"
#include "coev/selection/novelty.hpp"
#include "coev/selection/pair_tournament.hpp"
#include "coev/selection/tournament.hpp"
#include "coev/selection/truncation.hpp"

namespace lipizz::coev {

std::span<const Selection* const> selections() {
  static constexpr std::array kSelections{&kNoSelection,         &kTournamentSelection,
                                          &kTruncationSelection, &kPairTournamentSelection,
                                          &kExploitSelection,    &kNoveltySelection};
  return kSelections;
}

}  // namespace lipizz::coev
