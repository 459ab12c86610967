#include "coev/rate_mutation/log_normal.hpp"

#include <array>

#include "core/math.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{Parameter{.name = "alpha",
                                           .lowest = 0,
                                           .highest = 10,
                                           .initial = 0.05,
                                           .summary = "Strength of the change."},
                                 Parameter{.name = "probability",
                                           .lowest = 0,
                                           .highest = 1,
                                           .initial = 0.5,
                                           .summary = "How often it happens."}};

double mutate(const RateMutationInput& input, ParameterValues values) {
  const double alpha = values[0];
  if (!happens(input, values[1])) return input.rate;
  return input.rate * math::exp(static_cast<float>(alpha * normal_step(input)));
}

}  // namespace

constinit const RateMutation kLogNormalRateMutation{
    .name = "log-normal",
    .summary = "multiplies by exp(alpha * N(0, 1)) (Schwefel 1977)",
    .parameters = kParameters,
    .mutate = mutate};

}  // namespace lipizz::coev
