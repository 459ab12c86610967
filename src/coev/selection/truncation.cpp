#include "coev/selection/truncation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{Parameter{.name = "share",
                                           .lowest = 0.01,
                                           .highest = 1,
                                           .initial = 0.5,
                                           .summary = "The share of the members, the fittest, "
                                                      "from which one is drawn."}};

std::size_t truncation(const SelectionInput& input, ParameterValues values) {
  std::vector<std::size_t> ranked(input.cells.size());
  std::iota(ranked.begin(), ranked.end(), std::size_t{0});
  std::ranges::sort(ranked, [&](std::size_t a, std::size_t b) {
    return precedes(input.fitness[a], input.cells[a], input.fitness[b], input.cells[b]);
  });
  const double n = std::ceil(values[0] * static_cast<double>(ranked.size()));
  const auto stream = static_cast<std::uint32_t>(input.role);
  return ranked[input.random.below(static_cast<std::uint32_t>(n), stream)];
}

}  // namespace

constinit const Selection kTruncationSelection{
    .name = "truncation",
    .summary =
        "one of the fittest, all of them equally likely (Muehlenbein and "
        "Schlierkamp-Voosen 1993)",
    .parameters = kParameters,
    .select = truncation};

}  // namespace lipizz::coev
