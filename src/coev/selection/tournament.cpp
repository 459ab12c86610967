#include "coev/selection/tournament.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "coev/ranking.hpp"
#include "core/check.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{Parameter{.name = "size",
                                           .lowest = 2,
                                           .highest = 1000,
                                           .initial = 2,
                                           .unit = "members",
                                           .summary = "How many are drawn; all where there are "
                                                      "fewer.",
                                           .is_whole = true}};

// The first steps of a Fisher-Yates shuffle.
std::vector<std::uint32_t> draw_distinct(std::uint32_t n, std::uint32_t n_drawn,
                                         const SelectionInput& input) {
  std::vector<std::uint32_t> drawn(n);
  std::iota(drawn.begin(), drawn.end(), 0U);
  for (std::uint32_t i = 0; i < n_drawn; ++i) {
    const auto sample = static_cast<std::uint32_t>(input.role);
    std::swap(drawn[i], drawn[i + input.random.below(n - i, sample, i)]);
  }
  drawn.resize(n_drawn);
  return drawn;
}

std::size_t tournament(const SelectionInput& input, ParameterValues values) {
  LIPIZZ_ASSERT(!input.cells.empty() && input.fitness.size() == input.cells.size());
  const auto n = static_cast<std::uint32_t>(input.cells.size());
  const auto size = static_cast<std::uint32_t>(values[0]);
  const std::vector<std::uint32_t> drawn = draw_distinct(n, std::min(size, n), input);
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
