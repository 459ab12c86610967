#include "report/in_place.hpp"

#include <algorithm>
#include <utility>

#include "report/terminal_text.hpp"

namespace lipizz::report {
namespace {

constexpr const char* kEraseToEndOfLine = "\x1b[K";
constexpr const char* kEraseBelow = "\x1b[J";

}  // namespace

std::string InPlace::to_the_top(std::uint32_t columns) const {
  std::uint32_t n_rows = 0;
  for (const std::string& line : lines_) {
    const std::uint32_t width = visible_width(line);
    n_rows += columns == 0 ? 1 : std::max<std::uint32_t>(1, (width + columns - 1) / columns);
  }
  return n_rows == 0 ? "" : "\r\x1b[" + std::to_string(n_rows) + "A";
}

std::string InPlace::draw(std::vector<std::string> lines, std::uint32_t columns) {
  const bool is_as_before = columns == columns_;
  if (is_as_before && lines == lines_) return {};
  std::string text = to_the_top(columns);
  if (!is_as_before && !lines_.empty()) text += kEraseBelow;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_there = is_as_before && i < lines_.size() && lines_[i] == lines[i];
    if (!is_there) text += lines[i] + kEraseToEndOfLine;
    text += '\n';
  }
  if (lines.size() < lines_.size()) text += kEraseBelow;
  lines_ = std::move(lines);
  columns_ = columns;
  return text;
}

std::string InPlace::erase(std::uint32_t columns) {
  if (lines_.empty()) return {};
  std::string text = to_the_top(columns) + kEraseBelow;
  lines_.clear();
  return text;
}

}  // namespace lipizz::report
