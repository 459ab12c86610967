#include "coev/rate_mutation/none.hpp"

namespace lipizz::coev {

constinit const RateMutation kNoRateMutation{
    .name = "none",
    .summary = "the rate stays what it is",
    .mutate = [](const RateMutationInput& input, ParameterValues) { return input.rate; }};

}  // namespace lipizz::coev
