#include "report/live_display.hpp"

#include <cmath>

#include "report/live_view.hpp"

namespace lipizz::report {
namespace {

// The cursor stands below the view, and the last column stays empty: a terminal that has filled it
// is about to begin a new line, or not.
TerminalStyle room_of_view(TerminalStyle style) {
  style.rows = style.rows > 1 ? style.rows - 1 : 1;
  style.columns = style.columns > 1 ? style.columns - 1 : 1;
  return style;
}

}  // namespace

void LiveDisplay::draw(const std::vector<std::string>& lines, const TerminalStyle& style) {
  const std::string text = drawn_.draw(lines, style.columns);
  if (!text.empty()) screen_.write(text);
}

void LiveDisplay::draw(const RunState& state, const std::string& note, double now_s) {
  const auto style = screen_.style();
  if (screen_.was_away()) drawn_.leave();
  if (!style) return;
  lines_ = live_view(state, note, now_s, room_of_view(*style));
  draw(lines_, *style);
  drawn_s_ = now_s;
}

void LiveDisplay::show(const RunState& state, const std::string& note, double now_s) {
  if (std::abs(now_s - drawn_s_) >= kPeriod_s) draw(state, note, now_s);
}

void LiveDisplay::print(const std::string& line) {
  const auto style = screen_.style();
  if (screen_.was_away()) drawn_.leave();
  if (!style) return screen_.write(line + "\n");
  screen_.write(drawn_.erase(style->columns) + line + "\n");
  draw(lines_, *style);
}

void LiveDisplay::finish(const RunState& state, double now_s) {
  draw(state, {}, now_s);
  drawn_.leave();
  lines_.clear();
}

}  // namespace lipizz::report
