#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lipizz::report {

/// Lines at the bottom of what a terminal shows, drawn over themselves again and again. The cursor
/// stands below them. Gives what to write; knows no terminal. A terminal that has become narrower
/// is taken to have wrapped the lines that are there, as those do that keep their content.
class InPlace {
 public:
  /// Puts these lines where the last ones stand, writing only those that differ. Each has at most
  /// `columns` - 1 columns.
  std::string draw(std::vector<std::string> lines, std::uint32_t columns);

  /// Removes the lines: ordinary output can follow.
  std::string erase(std::uint32_t columns);

  /// The lines stay as ordinary output, or are no more where they were; the next ones are drawn
  /// below the cursor.
  void leave() { lines_.clear(); }

 private:
  [[nodiscard]] std::string to_the_top(std::uint32_t columns) const;

  std::vector<std::string> lines_;
  std::uint32_t columns_ = 0;
};

}  // namespace lipizz::report
