#include "coev/rate_mutation/gaussian.hpp"

#include <algorithm>
#include <array>

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "alpha",
              .lowest = 0,
              .highest = 10,
              .initial = 0.05,
              .summary = "Strength of the change; the originals' is 1e-4."},
    Parameter{.name = "probability",
              .lowest = 0,
              .highest = 1,
              .initial = 0.5,
              .summary = "How often it happens."}};

double mutate(const RateMutationInput& input, ParameterValues values) {
  const double alpha = values[0];
  if (!happens(input, values[1])) return input.rate;
  const double rate_0 = input.initial_rate;
  return std::max(0.0, input.rate + alpha * (rate_0 * normal_step(input) - rate_0 / 10));
}

}  // namespace

constinit const RateMutation kGaussianRateMutation{
    .name = "gaussian",
    .summary = "adds alpha * N(-rate0 / 10, rate0), never below 0 (Schmiedlechner et al. 2018)",
    .parameters = kParameters,
    .mutate = mutate};

}  // namespace lipizz::coev
