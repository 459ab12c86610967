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
              .summary = "How often it happens."},
    Parameter{.name = "drift",
              .lowest = 0,
              .highest = 1,
              .initial = 0.1,
              .summary = "By which share of the first rate the mean of a step is below 0; the "
                         "originals' is 0.1."}};

double mutate(const RateMutationInput& input, ParameterValues values) {
  const double alpha = values[0];
  if (!happens(input, values[1])) return input.rate;
  const double rate_0 = input.initial_rate;
  return std::max(0.0, input.rate + alpha * rate_0 * (normal_step(input) - values[2]));
}

}  // namespace

constinit const RateMutation kGaussianRateMutation{
    .name = "gaussian",
    .summary = "adds alpha * N(-drift * rate0, rate0), never below 0 (Schmiedlechner et al. 2018)",
    .parameters = kParameters,
    .mutate = mutate};

}  // namespace lipizz::coev
