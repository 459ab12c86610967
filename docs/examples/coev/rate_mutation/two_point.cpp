#include "coev/rate_mutation/two_point.hpp"

#include <array>

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "factor",
              .lowest = 1,
              .highest = 10,
              .initial = 1.1,
              .summary = "What the rate is multiplied or divided by."}};

double mutate(const RateMutationInput& input, ParameterValues values) {
  const double factor = values[0];
  return happens(input, 0.5) ? input.rate * factor : input.rate / factor;
}

}  // namespace

constinit const RateMutation kTwoPointRateMutation{
    .name = "two-point",
    .summary = "multiplies or divides by a factor, equally often (Rechenberg 1994)",
    .parameters = kParameters,
    .mutate = mutate};

}  // namespace lipizz::coev
