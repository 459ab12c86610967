#include "coev/mixture_weighting/equal.hpp"

namespace lipizz::coev {

constinit const MixtureWeighting kEqualWeighting{
    .name = "equal",
    .summary = "all weights are equal",
    .measure = MixtureMeasure::kNone,
    .find = [](std::span<double>, const MixtureWeightingInput&, ParameterValues) {}};

}  // namespace lipizz::coev
