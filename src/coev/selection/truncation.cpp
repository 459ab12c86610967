#include "coev/selection/truncation.hpp"

#include <array>
#include <cmath>
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
  const std::vector<std::size_t> members = ranked(input.fitness, input.cells);
  const double n = std::ceil(values[0] * static_cast<double>(members.size()));
  const auto stream = static_cast<std::uint32_t>(input.role);
  return members[input.random.below(static_cast<std::uint32_t>(n), stream)];
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
