#include "coev/loss_mutation/each.hpp"

#include "core/check.hpp"

namespace lipizz::coev {

constinit const LossMutation kEachLossMutation{
    .name = "each",
    .summary =
        "offspring number i of a cell trains with number i of `losses`, and begins with the "
        "first again where these are fewer (E-GAN; Wang et al. 2019)",
    .mutate = [](const LossMutationInput& input, ParameterValues) -> nn::LossId {
      LIPIZZ_ASSERT(!input.losses.empty());
      return input.losses[input.offspring % input.losses.size()];
    }};

}  // namespace lipizz::coev
