#include "coev/opponents/history.hpp"

#include <array>

#include "coev/opponents/partner_or_other.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "share",
              .lowest = 0,
              .highest = 1,
              .initial = 0.8,
              .summary = "Part of the steps that is made against the partner."},
    Parameter{.name = "size",
              .lowest = 1,
              .highest = 1000,
              .initial = 5,
              .summary = "Past networks that a cell keeps.",
              .is_whole = true},
    Parameter{.name = "period",
              .lowest = 1,
              .highest = 1e6,
              .initial = 1,
              .unit = "generations",
              .summary = "One is kept each so many generations.",
              .is_whole = true}};

HistorySpec history(ParameterValues values) {
  return {.size = static_cast<std::uint32_t>(values[1]),
          .period = static_cast<std::uint32_t>(values[2])};
}

std::size_t draw(const OpponentsInput& input, ParameterValues values) {
  return partner_or_other(input, values[0], input.n_members, input.n_past);
}

}  // namespace

constinit const Opponents kHistoryOpponents{
    .name = "history",
    .summary =
        "the partner with a probability, else any of its past selves that the cell keeps "
        "(Shrivastava et al. 2017; Grnarova et al. 2018)",
    .parameters = kParameters,
    .history = history,
    .draw = draw};

}  // namespace lipizz::coev
