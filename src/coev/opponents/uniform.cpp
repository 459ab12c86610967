#include "coev/opponents/uniform.hpp"

namespace lipizz::coev {

constinit const Opponents kUniformOpponents{
    .name = "uniform",
    .summary =
        "any member of the sub-population, the partner among them, drawn anew for each step "
        "(Schmiedlechner et al. 2018)",
    .draw = [](const OpponentsInput& input, ParameterValues) -> std::size_t {
      return input.random.below(input.n_members, input.step);
    }};

}  // namespace lipizz::coev
