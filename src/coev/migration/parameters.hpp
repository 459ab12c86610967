#pragma once

#include "coev/migration.hpp"

namespace lipizz::coev {

/// The parameters alone, a third of a genome with Adam's moments. That is enough where neighbours
/// are opponents and members of mixtures, but never copied by selection. Departure: the original
/// sends the moments even then (Schmiedlechner et al. 2018).
extern const Migration kParametersMigration;

}  // namespace lipizz::coev
