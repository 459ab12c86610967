#include "coev/migration.hpp"

#include <gtest/gtest.h>

#include "coev/neighbours.hpp"
#include "coev/publication.hpp"
#include "coev/support.hpp"

namespace lipizz::coev::migration_test {
namespace {

// The neighbour's copy of a cell whose moments are not zero.
const Pair& held_after_migration(const Migration& migration, Neighbours& neighbours,
                                 Settings settings, const Cell& cell) {
  settings.operators.migration = migration;
  neighbours.receive(cell.id, cell.generation, write_publication(cell, settings));
  return neighbours.latest(cell.id);
}

TEST(Migration, every_row_brings_networks_and_rates_and_the_moments_that_it_says) {
  const Settings settings = testing::tiny_settings();
  Cell cell = make_cell(settings, {3});
  cell.generation = 2;
  cell.centre.generator.moments.writable()[1] = 0.5F;
  cell.centre.generator.learning_rate = 0.125;
  cell.centre.discriminator.loss = 3;
  cell.centre.discriminator.step = 7;
  for (const Migration* row : migrations()) {
    Neighbours neighbours(settings);
    const Pair& held = held_after_migration(*row, neighbours, settings, cell);
    const bool travel = row->moments == Moments::kTravel;
    EXPECT_EQ(held == cell.centre, travel) << row->name;
    for (const NetworkRole role : kNetworkRoles) {
      EXPECT_EQ(genome(held, role).parameters, genome(cell.centre, role).parameters) << row->name;
      EXPECT_EQ(genome(held, role).moments.empty(), !travel) << row->name;
    }
    EXPECT_EQ(held.generator.learning_rate, 0.125);
    EXPECT_EQ(held.discriminator.loss, 3U);
  }
}

}  // namespace
}  // namespace lipizz::coev::migration_test
