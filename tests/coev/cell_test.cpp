#include "coev/cell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coev/recombination/average.hpp"
#include "coev/support.hpp"

namespace lipizz::coev::cell_test {
namespace {

TEST(Cell, starts_from_its_own_seeded_weights) {
  const Settings settings = testing::tiny_settings();
  const Cell zero = make_cell(settings, {0});
  const Cell one = make_cell(settings, {1});
  EXPECT_EQ(make_cell(settings, {0}).centre, zero.centre);
  EXPECT_NE(zero.centre.generator.parameters, one.centre.generator.parameters);
  EXPECT_NE(zero.centre.discriminator.parameters, one.centre.discriminator.parameters);
  Settings other = settings;
  other.seed = 2;
  EXPECT_NE(make_cell(other, {0}).centre.generator.parameters, zero.centre.generator.parameters);
}

TEST(Cell, starts_like_all_others_where_networks_are_recombined) {
  Settings settings = testing::tiny_settings();
  settings.operators.recombination = kAverageRecombination;
  const Cell zero = make_cell(settings, {0});
  const Cell one = make_cell(settings, {1});
  EXPECT_EQ(zero.centre.generator.parameters, one.centre.generator.parameters);
  EXPECT_EQ(zero.centre.discriminator.parameters, one.centre.discriminator.parameters);
  EXPECT_EQ(one.centre.generator.origin, CellId{1});
}

TEST(Cell, starts_with_the_rates_and_losses_of_each_network) {
  Settings settings = testing::tiny_settings();
  settings.generator = {.learning_rate = 0.1, .loss = 1};
  settings.discriminator = {.learning_rate = 0.2, .loss = 3};
  const Cell cell = make_cell(settings, {4});
  EXPECT_EQ(cell.centre.generator.learning_rate, 0.1);
  EXPECT_EQ(cell.centre.generator.loss, 1U);
  EXPECT_EQ(cell.centre.discriminator.learning_rate, 0.2);
  EXPECT_EQ(cell.centre.discriminator.loss, 3U);
  EXPECT_EQ(cell.centre.generator.origin, CellId{4});
  EXPECT_THAT(cell.mixture.weights, ::testing::ElementsAre(1.0));
}

TEST(Cell, reports_its_mixture_and_every_routine) {
  Cell cell = make_cell(testing::tiny_settings(), {3});
  begin_report(cell, 7);
  cell.times.add(Routine::kTrain, 1.5);
  cell.times.add(Routine::kTrain, 0.5);
  const CellReport report = finished_report(cell);
  EXPECT_EQ(report.cell, CellId{3});
  EXPECT_EQ(report.generation, 7U);
  ASSERT_EQ(report.mixture.size(), 1U);
  EXPECT_EQ(report.mixture[0].cell, CellId{3});
  ASSERT_EQ(report.profile.size(), 5U);
  EXPECT_EQ(report.profile[0].name, "train");
  EXPECT_EQ(report.profile[0].seconds, 2.0);
  EXPECT_EQ(report.profile[4].name, "mixture");
  EXPECT_EQ(report.profile[4].seconds, 0.0);
}

}  // namespace
}  // namespace lipizz::coev::cell_test
