#include "coev/opponents/changing_share.hpp"

#include <algorithm>
#include <array>

#include "coev/opponents/partner_or_other.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "share",
              .lowest = 0,
              .highest = 1,
              .initial = 1,
              .summary = "Part of the steps of the first generation that is made against the "
                         "partner."},
    Parameter{.name = "share_end",
              .lowest = 0,
              .highest = 1,
              .initial = 0.5,
              .summary = "The same at the end."},
    Parameter{.name = "generations",
              .lowest = 1,
              .highest = 1e6,
              .initial = 20,
              .unit = "generations",
              .summary = "Until then the share changes.",
              .is_whole = true}};

std::size_t draw(const OpponentsInput& input, ParameterValues values) {
  const double part = std::min(1.0, (input.generation - 1.0) / std::max(1.0, values[2] - 1));
  const double share = values[0] + (values[1] - values[0]) * std::max(0.0, part);
  return partner_or_other(input, share, 1, input.n_members - 1);
}

}  // namespace

constinit const Opponents kChangingShareOpponents{
    .name = "changing-share",
    .summary = "as partner-share, with a share that changes with the generations",
    .parameters = kParameters,
    .draw = draw};

}  // namespace lipizz::coev
