#include "coev/migration.hpp"

#include <array>

#include "coev/migration/genomes.hpp"
#include "coev/migration/parameters.hpp"

namespace lipizz::coev {

std::span<const Migration* const> migrations() {
  static constexpr std::array kMigrations{&kParametersMigration, &kGenomesMigration};
  return kMigrations;
}

}  // namespace lipizz::coev
