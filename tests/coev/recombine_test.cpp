#include "coev/recombine.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "coev/support.hpp"
#include "nn/counted_storage.hpp"

namespace lipizz::coev::recombine_test {
namespace {

// Three cells whose generators have all kinds of values.
std::vector<Cell> three_cells() {
  Settings settings = testing::tiny_settings();
  settings.steps.average_decay = 0.5;
  std::vector<Cell> cells;
  for (std::uint32_t i = 0; i < 3; ++i) {
    Cell& cell = cells.emplace_back(make_cell(settings, {i}));
    Genome& g = cell.centre.generator;
    for (std::size_t k = 0; k < g.moments.size(); ++k) {
      g.moments.writable()[k] = static_cast<float>(i * 10 + k);
    }
    for (float& value : g.average.writable()) value += 1;
    g.step = 5 + i;
    g.learning_rate = 0.5 * (i + 1);
  }
  return cells;
}

TEST(Recombine, alone_the_selected_member_is_copied) {
  const std::vector<Cell> cells = three_cells();
  Genome offspring;
  recombine(testing::subpopulation(cells), NetworkRole::kGenerator, 2, std::array{0.0, 0.0, 1.0},
            offspring);
  EXPECT_EQ(offspring, cells[2].centre.generator);
}

TEST(Recombine, parameters_moments_and_averages_are_weighted_means) {
  const std::vector<Cell> cells = three_cells();
  Genome offspring;
  recombine(testing::subpopulation(cells), NetworkRole::kGenerator, 0, std::array{0.5, 0.25, 0.25},
            offspring);
  const auto g = [&](std::size_t i) -> const Genome& { return cells[i].centre.generator; };
  for (const auto values : {&Genome::parameters, &Genome::moments, &Genome::average}) {
    ASSERT_FALSE((offspring.*values).empty());
    for (std::size_t k = 0; k < (offspring.*values).size(); ++k) {
      EXPECT_FLOAT_EQ((offspring.*values)[k], 0.5F * (g(0).*values)[k] + 0.25F * (g(1).*values)[k] +
                                                  0.25F * (g(2).*values)[k]);
    }
  }
  EXPECT_EQ(offspring.step, g(0).step);
  EXPECT_EQ(offspring.learning_rate, g(0).learning_rate);
  EXPECT_EQ(offspring.origin, CellId{0});
}

TEST(Recombine, z4_means_lie_where_the_members_do) {
  const auto storage = std::make_shared<nn::testing::CountedStorage>();
  Settings settings = testing::tiny_settings();
  settings.generator.moments_in = storage;
  std::vector<Cell> cells;
  for (std::uint32_t i = 0; i < 3; ++i) cells.push_back(make_cell(settings, {i}));
  const std::size_t before = storage->n_bytes();
  Genome offspring;
  recombine(testing::subpopulation(cells), NetworkRole::kGenerator, 0, std::array{0.5, 0.25, 0.25},
            offspring);
  EXPECT_EQ(storage->n_bytes() - before, offspring.moments.size() * sizeof(float));
  EXPECT_EQ(offspring.parameters.storage(), nullptr);
}

// More elements than are added up at once, in the order of the members.
TEST(Recombine, of_a_large_network_every_element_is_the_weighted_mean) {
  std::vector<Cell> cells = three_cells();
  constexpr std::size_t kElements = 5003;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    nn::SharedBuffer<float>& parameters = cells[i].centre.generator.parameters;
    parameters.reset(kElements);
    Random(i, Purpose::kTest).normals(0, kElements, 1, parameters.writable());
  }
  Genome offspring;
  recombine(testing::subpopulation(cells), NetworkRole::kGenerator, 1, std::array{0.1, 0.6, 0.3},
            offspring);
  ASSERT_EQ(offspring.parameters.size(), kElements);
  const auto g = [&](std::size_t i) -> const Genome& { return cells[i].centre.generator; };
  for (std::size_t k = 0; k < kElements; ++k) {
    EXPECT_EQ(offspring.parameters[k],
              0.1F * g(0).parameters[k] + 0.6F * g(1).parameters[k] + 0.3F * g(2).parameters[k])
        << k;
  }
}

TEST(Recombine, equal_networks_have_themselves_as_their_mean) {
  std::vector<Cell> cells = three_cells();
  cells[1].centre = cells[2].centre = cells[0].centre;
  Genome offspring;
  recombine(testing::subpopulation(cells), NetworkRole::kDiscriminator, 1,
            std::array{0.25, 0.5, 0.25}, offspring);
  EXPECT_EQ(offspring.parameters, cells[0].centre.discriminator.parameters);
}

}  // namespace
}  // namespace lipizz::coev::recombine_test
