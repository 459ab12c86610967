#pragma once

#include "coev/migration.hpp"

namespace lipizz::coev {

/// The parameters alone, a third of a genome with Adam's moments. Enough where neighbours are
/// opponents and members of mixtures, but never copied by selection (Perez et al. 2020 exchange
/// the networks' centres for this).
extern const Migration kParametersMigration;

}  // namespace lipizz::coev
