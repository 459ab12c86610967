#include "report/grid_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "report/score_scale.hpp"

namespace lipizz::report {
namespace {

constexpr std::uint32_t kNumberWidth = 9;  // `1.234e+05`
constexpr std::uint32_t kLargeHeight = 3;  // of a block with a number, where there is room
constexpr std::uint32_t kLegendColours = 16;

std::vector<double> scores_of(const std::vector<PicturedCell>& cells) {
  std::vector<double> scores;
  for (const PicturedCell& cell : cells) scores.push_back(cell.score);
  return scores;
}

std::uint32_t quotient_up(std::uint32_t n, std::uint32_t divisor) {
  return (n + divisor - 1) / divisor;
}

std::string score_text(double score) {
  std::string text = fmt::format("{:.4g}", score);
  return text.size() <= kNumberWidth ? text : fmt::format("{:.2g}", score);
}

// Draws one grid.
class Painter {
 public:
  Painter(const std::vector<PicturedCell>& cells, const grid::Torus& torus,
          const TerminalStyle& style)
      : cells_(cells), torus_(torus), style_(style), scale_(scores_of(cells)) {}

  GridPicture picture() const {
    if (style_.rows == 0 || style_.columns < 2) return {};
    if (torus_.columns * (kNumberWidth + 2) <= style_.columns && torus_.rows <= style_.rows) {
      return {.lines = with_numbers()};
    }
    if (2 * torus_.columns <= style_.columns && torus_.rows <= style_.rows) {
      return {.lines = in_blocks(1)};
    }
    return reduced();
  }

 private:
  // The score and the mark in the middle of a block, the others above and below it empty.
  std::vector<std::string> with_numbers() const {
    const bool is_large = style_.has_colours() && kLargeHeight * torus_.rows <= style_.rows;
    const std::uint32_t height = is_large ? kLargeHeight : 1;
    std::vector<std::string> lines;
    for (std::uint32_t y = 0; y < torus_.rows * height; ++y) {
      std::string line;
      for (std::uint32_t x = 0; x < torus_.columns; ++x) {
        const PicturedCell& cell = at(y / height, x);
        const bool has_text = y % height == height / 2;
        line += block(scale_.goodness(cell.score), has_text ? labelled(cell) : labelled({}));
      }
      lines.push_back(line);
    }
    return lines;
  }

  static std::string labelled(const std::optional<PicturedCell>& cell) {
    if (!cell) return std::string(kNumberWidth + 2, ' ');
    const std::string score = std::isnan(cell->score) ? "-" : score_text(cell->score);
    return fmt::format("{:>{}}{} ", score, kNumberWidth, cell->mark);
  }

  std::string block(const std::optional<double>& goodness, const std::string& text) const {
    if (!goodness || !style_.has_colours()) return text;
    const Colour colour = colour_of(*goodness);
    const bool is_blank = text.find_first_not_of(' ') == std::string::npos;
    return on(colour, style_.colours) + (is_blank ? "" : in(readable_on(colour), style_.colours)) +
           text + plain(style_.colours);
  }

  // Blocks of two columns and one row, for so many cells by so many.
  std::vector<std::string> in_blocks(std::uint32_t side) const {
    std::vector<std::string> lines;
    for (std::uint32_t y = 0; y < torus_.rows; y += side) {
      std::string line;
      for (std::uint32_t x = 0; x < torus_.columns; x += side) {
        const char mark = side == 1 ? at(y, x).mark : ' ';
        line += small_block(goodness_around(y, x, side), mark);
      }
      lines.push_back(line);
    }
    return lines;
  }

  std::string small_block(const std::optional<double>& goodness, char mark) const {
    if (!goodness) return std::string("- ");
    if (style_.has_colours()) return block(goodness, {mark, ' '});
    return {mark == ' ' ? character_of(*goodness) : mark, ' '};
  }

  // As few cells to a block as fit: of half a character where it has two colours.
  GridPicture reduced() const {
    const bool has_halves = style_.has_colours() && style_.has_unicode;
    const std::uint32_t across = has_halves ? style_.columns : style_.columns / 2;
    const std::uint32_t down = has_halves ? 2 * style_.rows : style_.rows;
    const std::uint32_t side =
        std::max(quotient_up(torus_.columns, across), quotient_up(torus_.rows, down));
    return {.lines = has_halves ? in_halves(side) : in_blocks(side), .cells_per_block_side = side};
  }

  std::vector<std::string> in_halves(std::uint32_t side) const {
    std::vector<std::string> lines;
    for (std::uint32_t y = 0; y < torus_.rows; y += 2 * side) {
      std::string line;
      std::string colours;  // in force
      for (std::uint32_t x = 0; x < torus_.columns; x += side) {
        const auto& [wanted, text] =
            halves(goodness_around(y, x, side), goodness_around(y + side, x, side));
        if (wanted != colours) line += plain(style_.colours) + wanted;
        line += text;
        colours = wanted;
      }
      lines.push_back(line + plain(style_.colours));
    }
    return lines;
  }

  // Two blocks above one another: their colours, and the character that shows both.
  std::pair<std::string, const char*> halves(const std::optional<double>& upper,
                                             const std::optional<double>& lower) const {
    if (!upper && !lower) return {"", " "};
    const std::string text = in(colour_of(upper ? *upper : *lower), style_.colours);
    if (!upper || !lower) return {text, upper ? "▀" : "▄"};
    return {on(colour_of(*lower), style_.colours) + text, "▀"};
  }

  // The mean of the square of cells that begins here; nothing where none has a score.
  std::optional<double> goodness_around(std::uint32_t row, std::uint32_t column,
                                        std::uint32_t side) const {
    double sum = 0;
    std::uint32_t n = 0;
    for (std::uint32_t y = row; y < std::min(row + side, torus_.rows); ++y) {
      for (std::uint32_t x = column; x < std::min(column + side, torus_.columns); ++x) {
        const auto goodness = scale_.goodness(at(y, x).score);
        sum += goodness.value_or(0);
        n += goodness ? 1 : 0;
      }
    }
    return n == 0 ? std::nullopt : std::optional(sum / n);
  }

  const PicturedCell& at(std::uint32_t row, std::uint32_t column) const {
    return cells_.at(torus_.cell(row, column).value);
  }

  const std::vector<PicturedCell>& cells_;
  const grid::Torus& torus_;
  const TerminalStyle& style_;
  ScoreScale scale_;
};

std::string colour_bar(const TerminalStyle& style) {
  std::string bar;
  for (std::uint32_t i = 0; i < kLegendColours; ++i) {
    const double goodness = 1 - static_cast<double>(i) / (kLegendColours - 1);
    if (style.has_colours()) {
      bar += on(colour_of(goodness), style.colours) + ' ';
    } else {
      bar += character_of(goodness);
    }
  }
  return bar + plain(style.colours);
}

}  // namespace

GridPicture grid_picture(const std::vector<PicturedCell>& cells, const grid::Torus& torus,
                         const TerminalStyle& style) {
  return Painter(cells, torus, style).picture();
}

std::string legend(const std::vector<PicturedCell>& cells, const GridPicture& picture,
                   const TerminalStyle& style) {
  const ScoreScale scale(scores_of(cells));
  if (!scale.has_scores()) return {};
  const std::string bar =
      fmt::format("{:.4g} {} {:.4g}", scale.best(), colour_bar(style), scale.worst());
  if (visible_width(bar) > style.columns) return {};
  const std::uint32_t side = picture.cells_per_block_side;
  return line_of({{bar}, {side == 1 ? "" : fmt::format("a block is {0}x{0} cells", side)}}, style);
}

}  // namespace lipizz::report
