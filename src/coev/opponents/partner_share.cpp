#include "coev/opponents/partner_share.hpp"

#include <array>

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "share",
              .lowest = 0,
              .highest = 1,
              .initial = 0.5,
              .summary = "Part of the steps that is made against the partner."}};

std::size_t draw(const OpponentsInput& input, ParameterValues values) {
  const auto share = static_cast<float>(values[0]);
  const bool is_neighbour = input.n_members > 1 && input.random.uniform(input.step, 1) >= share;
  return is_neighbour ? 1 + input.random.below(input.n_members - 1, input.step) : 0;
}

}  // namespace

constinit const Opponents kPartnerShareOpponents{
    .name = "partner-share",
    .summary = "the partner with a probability, else any neighbour",
    .parameters = kParameters,
    .draw = draw};

}  // namespace lipizz::coev
