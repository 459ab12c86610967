#include "coev/selection/none.hpp"

namespace lipizz::coev {

constinit const Selection kNoSelection{
    .name = "none",
    .summary =
        "each cell trains its own centre (the published settings of Schmiedlechner et al. "
        "2018)",
    .copies_neighbours = false,
    .select = [](const SelectionInput&, ParameterValues) -> std::size_t { return 0; }};

}  // namespace lipizz::coev
