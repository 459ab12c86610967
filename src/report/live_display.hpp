#pragma once

#include <string>
#include <vector>

#include "report/in_place.hpp"
#include "report/run_state.hpp"
#include "report/screen.hpp"

namespace lipizz::report {

/// Keeps the view of a run (report/live_view.hpp) at the bottom of a terminal. Used by one thread.
class LiveDisplay {
 public:
  /// Draws no more often than this, however often it is asked to.
  static constexpr double kPeriod_s = 0.5;

  /// The screen must outlive it.
  explicit LiveDisplay(Screen& screen) : screen_(screen) {}

  /// Draws the view where it is due and differs from what stands there. `now_s`: seconds since
  /// 1970.
  void show(const RunState& state, const std::string& note, double now_s);

  /// Puts an ordinary line above the view.
  void print(const std::string& line);

  /// Draws the view a last time; it stays as ordinary lines.
  void finish(const RunState& state, double now_s);

 private:
  void draw(const std::vector<std::string>& lines, const TerminalStyle& style);
  void draw(const RunState& state, const std::string& note, double now_s);

  Screen& screen_;
  InPlace drawn_;
  std::vector<std::string> lines_;  // the view that stands there
  double drawn_s_ = 0;
};

}  // namespace lipizz::report
