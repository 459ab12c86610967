#include "coev/selection/novelty.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "coev/period.hpp"
#include "coev/selection/contestants.hpp"
#include "core/check.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    kSizeParameter,
    Parameter{.name = "neighbours",
              .lowest = 1,
              .highest = 1000,
              .initial = 3,
              .unit = "members",
              .summary = "To how many nearest others a member's distance is its novelty; all where "
                         "there are fewer.",
              .is_whole = true},
    kPeriodParameter};

std::size_t select(const SelectionInput& input, ParameterValues values) {
  const std::size_t n = input.cells.size();
  if (n == 1 || !is_due(input.generation, values[2])) return 0;
  LIPIZZ_ASSERT(input.fitness.size() == n && input.behaviours.size() == n);
  const std::vector<double> novelty =
      novelties(input.behaviours, static_cast<std::size_t>(values[1]));
  const std::vector<std::size_t> fronts = pareto_fronts(input.fitness, novelty);
  const std::vector<std::uint32_t> drawn = draw_contestants(input, values[0]);
  return *std::ranges::min_element(drawn, {}, [&](std::uint32_t i) {
    return std::tuple(fronts[i], -novelty[i], input.cells[i].value);
  });
}

}  // namespace

constinit const Selection kNoveltySelection{
    .name = "novelty",
    .summary =
        "of some pairs that are drawn the first by Pareto fronts of fitness and novelty (quality "
        "diversity, Costa et al. 2020)",
    .parameters = kParameters,
    .selects_pairs = true,
    .compares_behaviours = true,
    .select = select};

}  // namespace lipizz::coev
