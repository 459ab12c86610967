#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lipizz::report {

/// A column of a table on the terminal.
struct TextColumn {
  std::string title;
  std::vector<std::string> cells;  // UTF-8; as many in each column
  bool is_number = false;          // to the right
};

/// Columns side by side, a line for each row under a line of titles. Where that is wider than
/// `width` characters, the columns that do not fit follow as further tables, each beginning with
/// the first column again, and each but the first behind an empty line. A single column may be
/// wider. No line ends with a space. Texts are made printable().
std::string text_table(std::span<const TextColumn> columns, std::size_t width);

/// Takes characters out of the middle of the longest titles and cells, `..` in their place, until
/// all columns have room side by side or none of them is wider than eight characters. Both ends
/// stay: the seed of a run stands at its name's end.
void cut_to_fit(std::span<TextColumn> columns, std::size_t width);

}  // namespace lipizz::report
