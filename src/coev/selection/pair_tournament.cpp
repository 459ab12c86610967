#include "coev/selection/pair_tournament.hpp"

#include <array>

#include "coev/period.hpp"
#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{kPeriodParameter};

std::size_t select(const SelectionInput& input, ParameterValues values) {
  const auto n = static_cast<std::uint32_t>(input.cells.size());
  if (n == 1 || !is_due(input.generation, values[0])) return 0;
  const std::size_t partner = 1 + input.random.below(n - 1, static_cast<std::uint32_t>(input.role));
  const bool is_fitter =
      precedes(input.fitness[partner], input.cells[partner], input.fitness[0], input.cells[0]);
  return is_fitter ? partner : 0;
}

}  // namespace

constinit const Selection kPairTournamentSelection{
    .name = "pair-tournament",
    .summary = "the fitter one of the own pair and a neighbour's that is drawn (LBANN's LTFB)",
    .parameters = kParameters,
    .selects_pairs = true,
    .select = select};

}  // namespace lipizz::coev
