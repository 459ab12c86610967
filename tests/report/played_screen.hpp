#pragma once

#include <optional>
#include <string>
#include <utility>

#include "report/screen.hpp"

namespace lipizz::report {

/// A screen that keeps what is written, for tests.
class PlayedScreen final : public Screen {
 public:
  explicit PlayedScreen(std::optional<TerminalStyle> terminal)
      : terminal_(terminal), now(terminal) {}

  [[nodiscard]] bool is_terminal() const override { return terminal_.has_value(); }
  std::optional<TerminalStyle> style() override { return now; }
  bool was_away() override { return std::exchange(is_back, false); }
  void write(const std::string& text) override { written += text; }
  /// All that was written since the last question.
  std::string taken() { return std::exchange(written, {}); }

 private:
  std::optional<TerminalStyle> terminal_;

 public:
  std::optional<TerminalStyle> now;  // nothing: it cannot be drawn on
  bool is_back = false;              // after another program had it
  std::string written;
};

}  // namespace lipizz::report
