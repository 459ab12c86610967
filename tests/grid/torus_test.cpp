#include "grid/torus.hpp"

#include <gtest/gtest.h>

namespace lipizz::grid::torus_test {
namespace {

TEST(Torus, counts_cells_row_by_row) {
  const Torus torus{3, 5};
  EXPECT_EQ(torus.cells(), 15U);
  EXPECT_EQ(torus.cell(2, 1), CellId{11});
  EXPECT_EQ(torus.row(CellId{11}), 2U);
  EXPECT_EQ(torus.column(CellId{11}), 1U);
}

TEST(Torus, wraps_in_both_directions) {
  const Torus torus{3, 5};
  EXPECT_EQ(torus.offset(CellId{0}, -1, -1), torus.cell(2, 4));
  EXPECT_EQ(torus.offset(CellId{14}, 1, 1), torus.cell(0, 0));
  EXPECT_EQ(torus.offset(CellId{7}, -9, 20), CellId{7});
  EXPECT_EQ(torus.along_ring(CellId{0}, -1), CellId{14});
  EXPECT_EQ(torus.along_ring(CellId{14}, 2), CellId{1});
}

TEST(Torus, the_largest_grid_does_not_overflow) {
  const Torus torus{4096, 4096};
  const CellId last{(1U << 24) - 1};
  EXPECT_EQ(torus.cells(), 1U << 24);
  EXPECT_EQ(torus.offset(last, 1, 1), CellId{0});
  EXPECT_EQ(torus.along_ring(CellId{0}, -1), last);
}

}  // namespace
}  // namespace lipizz::grid::torus_test
