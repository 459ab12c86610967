#include "report/text_table.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace lipizz::report {
namespace {

constexpr std::size_t kGap = 2;

// Bytes that go on with a character of UTF-8 take no place.
bool begins_character(unsigned char byte) {
  return (byte & 0xC0) != 0x80;
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

// The byte at which the n-th character begins, counted from 0, or the end.
std::size_t place_of(const std::string& text, std::size_t n) {
  std::size_t place = 0;
  for (; place < text.size(); ++place) {
    if (begins_character(static_cast<unsigned char>(text[place])) && n-- == 0) break;
  }
  return place;
}

void cut(std::string& text, std::size_t width) {
  const std::size_t n = width_of(text);
  if (n <= width) return;
  const std::size_t n_last = (width - 2) / 2;
  text = text.substr(0, place_of(text, width - 2 - n_last)) + ".." +
         text.substr(place_of(text, n - n_last));
}

std::size_t width_of(const TextColumn& column) {
  std::size_t width = width_of(column.title);
  for (const std::string& cell : column.cells) width = std::max(width, width_of(cell));
  return width;
}

struct Block {
  std::vector<const TextColumn*> columns;
  std::vector<std::size_t> widths;
};

void add_line(std::string& table, const Block& block, auto&& cell_of) {
  std::string line;
  for (std::size_t i = 0; i < block.columns.size(); ++i) {
    const TextColumn& column = *block.columns[i];
    const std::string text = printable(cell_of(column));
    const std::string padding(block.widths[i] - width_of(text), ' ');
    line += (i == 0 ? "" : std::string(kGap, ' ')) +
            (column.is_number ? padding + text : text + padding);
  }
  table += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::vector<Block> blocks_of(std::span<const TextColumn> columns, std::size_t width) {
  std::vector<Block> blocks;
  std::size_t used = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t own = width_of(columns[i]);
    if (blocks.empty()) {
      blocks.push_back({});
    } else if (used + kGap + own > width && blocks.back().columns.size() > 1) {
      blocks.push_back({{columns.data()}, {width_of(columns[0])}});
      used = width_of(columns[0]);
    }
    blocks.back().columns.push_back(&columns[i]);
    blocks.back().widths.push_back(own);
    used += own + (i == 0 ? 0 : kGap);
  }
  return blocks;
}

}  // namespace

void cut_to_fit(std::span<TextColumn> columns, std::size_t width) {
  constexpr std::size_t kNarrowest = 8;
  std::vector<std::size_t> widths;
  std::size_t sum = kGap * (std::max<std::size_t>(columns.size(), 1) - 1);
  for (const TextColumn& column : columns) {
    widths.push_back(width_of(column));
    sum += widths.back();
  }
  while (sum > width) {
    const auto widest = std::ranges::max_element(widths);
    if (*widest <= kNarrowest) break;
    --*widest;
    --sum;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    cut(columns[i].title, widths[i]);
    for (std::string& cell : columns[i].cells) cut(cell, widths[i]);
  }
}

std::string text_table(std::span<const TextColumn> columns, std::size_t width) {
  std::string table;
  for (const Block& block : blocks_of(columns, width)) {
    if (!table.empty()) table += "\n";
    add_line(table, block, [](const TextColumn& column) { return column.title; });
    for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
      add_line(table, block, [row](const TextColumn& column) { return column.cells[row]; });
    }
  }
  return table;
}

}  // namespace lipizz::report
