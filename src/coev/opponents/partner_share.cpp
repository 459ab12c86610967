#include "coev/opponents/partner_share.hpp"

#include <array>

#include "coev/opponents/partner_or_other.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "share",
              .lowest = 0,
              .highest = 1,
              .initial = 0.9,
              .summary = "Part of the steps that is made against the partner."}};

}  // namespace

constinit const Opponents kPartnerShareOpponents{
    .name = "partner-share",
    .summary = "the partner with a probability, else any neighbour",
    .parameters = kParameters,
    .draw = [](const OpponentsInput& input, ParameterValues values) {
      return partner_or_other(input, values[0], 1, input.n_members - 1);
    }};

}  // namespace lipizz::coev
