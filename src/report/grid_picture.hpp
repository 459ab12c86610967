#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grid/torus.hpp"
#include "report/terminal_text.hpp"

namespace lipizz::report {

/// A cell of a picture.
struct PicturedCell {
  double score;     // lower is better; NaN: none yet
  char mark = ' ';  // shown where there is room for it
};

/// The grid of a run as lines for a terminal: each cell a block whose colour says how good its
/// score is among those of the grid, on a logarithmic scale where all are above 0. Large blocks
/// that hold the score where there is room, else small ones, two cells above one another to a
/// character (without Unicode: one to two characters), else several to a block, which shows the
/// mean of their colours. Without colours a small block is a character, from `.` for the worst to
/// `@` for the best.
struct GridPicture {
  std::vector<std::string> lines;  // no wider than asked for; none where there is no room at all
  std::uint32_t cells_per_block_side = 1;
};

/// cells: all of the torus, by index. `style.rows` is the room for the picture alone.
GridPicture grid_picture(const std::vector<PicturedCell>& cells, const grid::Torus& torus,
                         const TerminalStyle& style);

/// The meaning of the colours on one line: `12.3 [colours] 45.6`, best to worst; empty where no
/// cell has a score, or there is no room.
std::string legend(const std::vector<PicturedCell>& cells, const GridPicture& picture,
                   const TerminalStyle& style);

}  // namespace lipizz::report
