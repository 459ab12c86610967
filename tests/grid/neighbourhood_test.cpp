#include "grid/neighbourhood.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/error.hpp"

namespace lipizz::grid::neighbourhood_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::uint32_t> neighbours(std::string_view name, const Torus& torus,
                                      std::uint32_t cell) {
  std::vector<std::uint32_t> values;
  for (const CellId id : find_neighbourhood(name).neighbours(torus, CellId{cell})) {
    values.push_back(id.value);
  }
  return values;
}

std::vector<Torus> many_sizes() {
  std::vector<Torus> sizes{{2, 5}, {1, 12}, {12, 1}, {3, 17}};
  for (std::uint32_t rows = 1; rows <= 5; ++rows) {
    for (std::uint32_t columns = 1; columns <= 5; ++columns) sizes.push_back({rows, columns});
  }
  return sizes;
}

TEST(Neighbourhood, each_neighbour_is_another_cell_of_the_grid_and_stands_once) {
  for (const Neighbourhood& neighbourhood : neighbourhoods()) {
    for (const Torus& torus : many_sizes()) {
      for (std::uint32_t cell = 0; cell < torus.cells(); ++cell) {
        SCOPED_TRACE(std::string(neighbourhood.name) + " " + std::to_string(torus.rows) + "x" +
                     std::to_string(torus.columns) + " cell " + std::to_string(cell));
        const auto list = neighbourhood.neighbours(torus, CellId{cell});
        for (const CellId id : list) {
          EXPECT_LT(id.value, torus.cells());
          EXPECT_NE(id, CellId{cell});
        }
        EXPECT_EQ(std::set<CellId>(list.begin(), list.end()).size(), list.size());
      }
    }
  }
}

TEST(Neighbourhood, reaches_no_further_than_it_says) {
  for (const Neighbourhood& neighbourhood : neighbourhoods()) {
    for (const Torus& torus : many_sizes()) {
      const std::uint32_t reach = kRowsOfReach * torus.columns;
      for (std::uint32_t cell = reach; cell + reach < torus.cells(); ++cell) {
        for (const CellId id : neighbourhood.neighbours(torus, CellId{cell})) {
          EXPECT_LE(std::max(id.value, cell) - std::min(id.value, cell), reach)
              << neighbourhood.name << " " << torus.rows << "x" << torus.columns;
        }
      }
    }
  }
}

TEST(Neighbourhood, is_symmetric) {
  for (const Neighbourhood& neighbourhood : neighbourhoods()) {
    for (const Torus& torus : many_sizes()) {
      for (std::uint32_t cell = 0; cell < torus.cells(); ++cell) {
        for (const CellId id : neighbourhood.neighbours(torus, CellId{cell})) {
          EXPECT_THAT(neighbourhood.neighbours(torus, id), ::testing::Contains(CellId{cell}))
              << neighbourhood.name << " " << torus.rows << "x" << torus.columns;
        }
      }
    }
  }
}

TEST(Neighbourhood, on_a_roomy_torus_has_the_size_in_its_name) {
  const Torus torus{5, 5};
  for (std::uint32_t cell = 0; cell < torus.cells(); ++cell) {
    EXPECT_EQ(neighbours("cross5", torus, cell).size(), 4U);
    EXPECT_EQ(neighbours("moore9", torus, cell).size(), 8U);
    EXPECT_EQ(neighbours("ring3", torus, cell).size(), 2U);
    EXPECT_EQ(neighbours("ring5", torus, cell).size(), 4U);
  }
}

// Cell 6 of 4x4, drawn:   0  1  2  3 /  4  5 [6] 7 /  8  9 10 11 / 12 13 14 15
TEST(Neighbourhood, order_is_up_down_left_right_and_then_the_corners) {
  const Torus torus{4, 4};
  EXPECT_THAT(neighbours("cross5", torus, 6), ElementsAre(2, 10, 5, 7));
  EXPECT_THAT(neighbours("moore9", torus, 6), ElementsAre(2, 10, 5, 7, 1, 3, 9, 11));
  EXPECT_THAT(neighbours("ring3", torus, 15), ElementsAre(14, 0));
  EXPECT_THAT(neighbours("ring5", torus, 0), ElementsAre(15, 1, 14, 2));
  EXPECT_THAT(neighbours("cross5", torus, 0), ElementsAre(12, 4, 3, 1));
}

TEST(Neighbourhood, directions_that_meet_count_once) {
  EXPECT_THAT(neighbours("cross5", {1, 1}, 0), IsEmpty());
  EXPECT_THAT(neighbours("cross5", {2, 2}, 0), ElementsAre(2, 1));
  EXPECT_THAT(neighbours("moore9", {2, 2}, 0), ElementsAre(2, 1, 3));
  EXPECT_THAT(neighbours("cross5", {1, 3}, 0), ElementsAre(2, 1));
  EXPECT_THAT(neighbours("ring5", {1, 3}, 1), ElementsAre(0, 2));
  EXPECT_THAT(neighbours("isolated", {4, 4}, 5), IsEmpty());
}

TEST(Neighbourhood, a_misspelt_name_gets_the_nearest) {
  EXPECT_EQ(find_neighbourhood("moore9").name, "moore9");
  try {
    find_neighbourhood("moor9");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"moore9\"?"));
  }
}

}  // namespace
}  // namespace lipizz::grid::neighbourhood_test
