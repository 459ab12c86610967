#include "report/grid_picture.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace lipizz::report::grid_picture_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Colours = TerminalStyle::Colours;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Scores rise row by row.
std::vector<PicturedCell> rising(const grid::Torus& torus) {
  std::vector<PicturedCell> cells;
  for (std::uint32_t i = 0; i < torus.cells(); ++i) cells.push_back({.score = 1.0 + i});
  return cells;
}

std::uint32_t widest(const GridPicture& picture) {
  std::uint32_t width = 0;
  for (const std::string& line : picture.lines) width = std::max(width, visible_width(line));
  return width;
}

TEST(GridPicture, a_small_grid_shows_scores_and_marks) {
  const std::vector<PicturedCell> cells{
      {.score = 52.314, .mark = '*'}, {.score = kUnknown}, {.score = 123456}, {.score = 0.125}};
  EXPECT_THAT(grid_picture(cells, {2, 2}, {}).lines,
              ElementsAre("    52.31*         -  ", "1.235e+05      0.125  "));
}

TEST(GridPicture, colours_make_blocks_three_lines_high_where_there_is_room) {
  const TerminalStyle style{.columns = 40, .rows = 6, .colours = Colours::k256};
  const GridPicture picture = grid_picture({{.score = 1}, {.score = 9}}, {1, 2}, style);
  EXPECT_THAT(picture.lines,
              ElementsAre("\x1b[48;5;220m           \x1b[0m\x1b[48;5;53m           \x1b[0m",
                          "\x1b[48;5;220m\x1b[38;5;16m        1  \x1b[0m"
                          "\x1b[48;5;53m\x1b[38;5;231m        9  \x1b[0m",
                          "\x1b[48;5;220m           \x1b[0m\x1b[48;5;53m           \x1b[0m"));
  EXPECT_THAT(grid_picture({{.score = 1}, {.score = 9}}, {1, 2},
                           {.columns = 40, .rows = 2, .colours = Colours::k256})
                  .lines,
              SizeIs(1));
}

TEST(GridPicture, a_larger_grid_has_small_blocks_with_marks) {
  std::vector<PicturedCell> cells{
      {.score = 1}, {.score = 10}, {.score = 100, .mark = '?'}, {.score = kUnknown}};
  EXPECT_THAT(grid_picture(cells, {2, 2}, {.columns = 10}).lines, ElementsAre("@ + ", "? - "));
}

TEST(GridPicture, two_cells_share_a_character_that_has_two_colours) {
  const std::vector<PicturedCell> cells{
      {.score = 1}, {.score = 100}, {.score = 100}, {.score = kUnknown}};
  const TerminalStyle style{.columns = 3, .rows = 4, .colours = Colours::k256, .has_unicode = true};
  EXPECT_THAT(grid_picture(cells, {2, 2}, style).lines,
              ElementsAre("\x1b[0m\x1b[48;5;53m\x1b[38;5;220m▀\x1b[0m\x1b[38;5;53m▀\x1b[0m"));
}

TEST(GridPicture, several_cells_share_a_block_that_has_the_mean_of_their_colours) {
  const std::vector<PicturedCell> cells{
      {.score = 1}, {.score = 1}, {.score = 100}, {.score = kUnknown}};
  const GridPicture picture = grid_picture(cells, {2, 2}, {.columns = 2, .rows = 1});
  EXPECT_THAT(picture.lines, ElementsAre("* "));
  EXPECT_EQ(picture.cells_per_block_side, 2);
}

TEST(GridPicture, every_grid_fits_every_terminal) {
  for (const grid::Torus torus : {grid::Torus{1, 1}, {2, 2}, {1, 200}, {200, 1}, {16, 16}}) {
    const auto cells = rising(torus);
    for (const auto colours : {Colours::kNone, Colours::kTrue}) {
      for (std::uint32_t columns = 1; columns < 90; columns += 11) {
        for (std::uint32_t rows = 0; rows < 30; rows += 7) {
          const TerminalStyle style{
              .columns = columns, .rows = rows, .colours = colours, .has_unicode = true};
          const GridPicture picture = grid_picture(cells, torus, style);
          EXPECT_LE(picture.lines.size(), rows);
          EXPECT_LE(widest(picture), columns);
        }
      }
    }
  }
}

TEST(GridPicture, the_legend_goes_from_best_to_worst) {
  const auto cells = rising({2, 2});
  EXPECT_EQ(legend(cells, {}, {}), "1 @%%##**++==--::. 4");
  EXPECT_THAT(legend(cells, {.lines = {}, .cells_per_block_side = 4}, {}),
              HasSubstr("4  a block is 4x4 cells"));
  EXPECT_THAT(legend({{.score = kUnknown}}, {}, {}), IsEmpty());
  EXPECT_THAT(legend(cells, {}, {.columns = 12, .colours = Colours::kTrue}), IsEmpty())
      << "half a bar says nothing";
}

}  // namespace
}  // namespace lipizz::report::grid_picture_test
