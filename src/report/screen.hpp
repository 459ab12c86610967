#pragma once

#include <optional>
#include <string>

#include "report/terminal_text.hpp"

namespace lipizz::report {

/// Where people read what a run tells: a terminal, or a file or a pipe. Writing never waits for
/// them: what is not taken is kept, and written later.
class Screen {
 public:
  virtual ~Screen() = default;

  /// True where lines can be drawn over. It never changes.
  [[nodiscard]] virtual bool is_terminal() const = 0;

  /// The terminal as it is now. Nothing where there is none, and while it belongs to another
  /// program or takes no more: whatever is drawn then would be garbled or late.
  virtual std::optional<TerminalStyle> style() = 0;

  /// True once after another program had the terminal: what was drawn may have moved.
  virtual bool was_away() = 0;

  /// Writes as much as is taken, of what was kept before too; an empty text does only the latter.
  virtual void write(const std::string& text) = 0;
};

}  // namespace lipizz::report
