#pragma once

#include "coev/migration.hpp"

namespace lipizz::coev {

/// Whole genomes, with the optimizers' moments, as the original sends them (Schmiedlechner et al.
/// 2018). A selection that may copy a neighbour needs it.
extern const Migration kGenomesMigration;

}  // namespace lipizz::coev
