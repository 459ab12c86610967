#include "coev/recombination/none.hpp"

namespace lipizz::coev {

constinit const Recombination kNoRecombination{
    .name = "none",
    .summary = "the offspring is a copy of the selected member (Schmiedlechner et al. 2018)",
    .mixes = false,
    .weigh = [](const RecombinationInput&, ParameterValues, std::span<double>) {}};

}  // namespace lipizz::coev
