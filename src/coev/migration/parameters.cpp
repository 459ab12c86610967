#include "coev/migration/parameters.hpp"

namespace lipizz::coev {

constinit const Migration kParametersMigration{
    .name = "parameters",
    .summary = "the networks without the optimizers' moments (Perez et al. 2020)",
    .moments = Moments::kStay};

}  // namespace lipizz::coev
