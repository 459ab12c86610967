#include "coev/selection/linear_ranking.hpp"

#include <array>
#include <vector>

#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{Parameter{.name = "pressure",
                                           .lowest = 1,
                                           .highest = 2,
                                           .initial = 1.5,
                                           .summary = "How often the best is drawn, times n."}};

std::size_t select(const SelectionInput& input, ParameterValues values) {
  const std::vector<std::size_t> members = ranked(input.fitness, input.cells);
  const double pressure = values[0];
  const auto n = static_cast<double>(members.size());
  double left = n * input.random.uniform(static_cast<std::uint32_t>(input.role));
  for (std::size_t i = 0; i + 1 < members.size(); ++i) {
    left -= pressure - 2 * (pressure - 1) * static_cast<double>(i) / (n - 1);
    if (left < 0) return members[i];
  }
  return members.back();
}

}  // namespace

constinit const Selection kLinearRankingSelection{
    .name = "linear-ranking",
    .summary = "any member, with a probability that falls with its rank (Baker 1985)",
    .parameters = kParameters,
    .select = select};

}  // namespace lipizz::coev
