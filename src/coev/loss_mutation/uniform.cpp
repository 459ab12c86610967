#include "coev/loss_mutation/uniform.hpp"

#include "core/check.hpp"

namespace lipizz::coev {
namespace {

nn::LossId mutate(const LossMutationInput& input, ParameterValues) {
  LIPIZZ_ASSERT(!input.losses.empty());
  const auto n = static_cast<std::uint32_t>(input.losses.size());
  return input.losses[input.random.below(n, input.sample)];
}

}  // namespace

constinit const LossMutation kUniformLossMutation{
    .name = "uniform",
    .summary =
        "draws one of `losses`, each with the same probability (Mustangs; Toutouh et al. "
        "2019)",
    .mutate = mutate};

}  // namespace lipizz::coev
