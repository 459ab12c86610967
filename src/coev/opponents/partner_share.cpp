#include "coev/opponents/partner_share.hpp"

#include <array>

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "share",
              .lowest = 0,
              .highest = 1,
              .initial = 0.9,
              .summary = "Part of the steps that is made against the partner."}};

}  // namespace

std::size_t partner_or_neighbour(const OpponentsInput& input, double share) {
  const bool is_neighbour =
      input.n_members > 1 && input.random.uniform(input.step, 1) >= static_cast<float>(share);
  return is_neighbour ? 1 + input.random.below(input.n_members - 1, input.step) : 0;
}

constinit const Opponents kPartnerShareOpponents{
    .name = "partner-share",
    .summary = "the partner with a probability, else any neighbour",
    .parameters = kParameters,
    .draw = [](const OpponentsInput& input, ParameterValues values) {
      return partner_or_neighbour(input, values[0]);
    }};

}  // namespace lipizz::coev
