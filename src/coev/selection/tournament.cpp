#include "coev/selection/tournament.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "coev/ranking.hpp"
#include "coev/selection/contestants.hpp"
#include "core/check.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{kSizeParameter};

std::size_t tournament(const SelectionInput& input, ParameterValues values) {
  LIPIZZ_ASSERT(!input.cells.empty() && input.fitness.size() == input.cells.size());
  const std::vector<std::uint32_t> drawn = draw_contestants(input, values[0]);
  return *std::ranges::min_element(drawn, [&](std::uint32_t a, std::uint32_t b) {
    return precedes(input.fitness[a], input.cells[a], input.fitness[b], input.cells[b]);
  });
}

}  // namespace

constinit const Selection kTournamentSelection{
    .name = "tournament",
    .summary = "the fittest of some that are drawn (Schmiedlechner et al. 2018)",
    .parameters = kParameters,
    .select = tournament};

}  // namespace lipizz::coev
