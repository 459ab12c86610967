#include "coev/loss_mutation/none.hpp"

namespace lipizz::coev {

constinit const LossMutation kNoLossMutation{
    .name = "none",
    .summary = "each generator keeps its loss (Schmiedlechner et al. 2018)",
    .chooses = false,
    .mutate = [](const LossMutationInput& input, ParameterValues) { return input.loss; }};

}  // namespace lipizz::coev
