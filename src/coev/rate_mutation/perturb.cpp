#include "coev/rate_mutation/perturb.hpp"

#include <array>

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "factor",
              .lowest = 1,
              .highest = 10,
              .initial = 1.2,
              .summary = "By which the rate is multiplied or divided."},
    Parameter{.name = "probability",
              .lowest = 0,
              .highest = 1,
              .initial = 0.5,
              .summary = "How often it happens to a copy."}};

double mutate(const RateMutationInput& input, ParameterValues values) {
  if (!input.is_copy || !happens(input, values[1])) return input.rate;
  return normal_step(input) < 0 ? input.rate / values[0] : input.rate * values[0];
}

}  // namespace

constinit const RateMutation kPerturbRateMutation{
    .name = "perturb",
    .summary =
        "multiplies or divides the rate of a neighbour's copy by a factor (population-based "
        "training, Jaderberg et al. 2017)",
    .parameters = kParameters,
    .mutate = mutate};

}  // namespace lipizz::coev
