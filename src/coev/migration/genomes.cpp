#include "coev/migration/genomes.hpp"

namespace lipizz::coev {

constinit const Migration kGenomesMigration{
    .name = "genomes",
    .summary = "the networks with the optimizers' moments (Schmiedlechner et al. 2018)",
    .moments = Moments::kTravel};

}  // namespace lipizz::coev
