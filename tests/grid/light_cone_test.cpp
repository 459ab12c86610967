#include "grid/light_cone.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lipizz::grid::light_cone_test {
namespace {

using ::testing::ElementsAre;

const Schedule kCross(find_neighbourhood("cross5"));

std::vector<CellId> cells_of(const LightCone& cone, Generation generation) {
  const auto cells = cone.cells(generation);
  return {cells.begin(), cells.end()};
}

// Steps between two cells of a torus of n x n, without diagonal ones.
std::uint32_t distance(const Torus& torus, CellId a, CellId b) {
  const auto along = [](std::uint32_t x, std::uint32_t y, std::uint32_t n) {
    const std::uint32_t d = x > y ? x - y : y - x;
    return std::min(d, n - d);
  };
  return along(torus.row(a), torus.row(b), torus.rows) +
         along(torus.column(a), torus.column(b), torus.columns);
}

TEST(LightCone, has_the_cells_within_as_many_steps_as_generations) {
  constexpr Torus kTorus{.rows = 7, .columns = 7};
  const CellId target = kTorus.cell(2, 5);
  const LightCone cone(kTorus, kCross, {target}, 10, 20);
  EXPECT_EQ(cone.start(), 10U);
  EXPECT_EQ(cone.last(), 20U);
  std::uint64_t n = 0;
  for (Generation generation = 10; generation <= 20; ++generation) {
    std::vector<CellId> expected;
    for (std::uint32_t cell = 0; cell < kTorus.cells(); ++cell) {
      if (distance(kTorus, target, {cell}) <= 20 - generation) expected.push_back({cell});
    }
    EXPECT_EQ(cells_of(cone, generation), expected) << generation;
    if (generation > 10) n += expected.size();
  }
  EXPECT_EQ(cone.n_cell_generations(), n);
}

TEST(LightCone, grows_by_the_neighbourhood_of_each_generation) {
  constexpr Torus kTorus{.rows = 1, .columns = 9};
  const Schedule schedule({{0, &find_neighbourhood("ring3")}, {3, &find_neighbourhood("ring5")}});
  const LightCone cone(kTorus, schedule, {{4}}, 1, 3);
  EXPECT_THAT(cells_of(cone, 3), ElementsAre(CellId{4}));
  EXPECT_EQ(cells_of(cone, 2).size(), 5U);
  EXPECT_EQ(cells_of(cone, 1).size(), 7U);
}

TEST(LightCone, of_all_cells_is_the_whole_run) {
  constexpr Torus kTorus{.rows = 2, .columns = 2};
  const LightCone cone(kTorus, kCross, {{3}, {0}, {2}, {1}}, 0, 5);
  EXPECT_EQ(cone.n_cell_generations(), 20U);
  EXPECT_THAT(cells_of(cone, 0), ElementsAre(CellId{0}, CellId{1}, CellId{2}, CellId{3}));
}

TEST(LightCone, without_generations_has_nothing_to_compute) {
  const LightCone cone({.rows = 3, .columns = 3}, kCross, {{4}}, 7, 7);
  EXPECT_EQ(cone.n_cell_generations(), 0U);
  EXPECT_THAT(cells_of(cone, 7), ElementsAre(CellId{4}));
}

}  // namespace
}  // namespace lipizz::grid::light_cone_test
