#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/clock.hpp"
#include "core/ids.hpp"
#include "report/live_display.hpp"
#include "report/run_event.hpp"
#include "report/run_state.hpp"
#include "report/screen.hpp"

namespace lipizz::master {

/// Rank 0 shows this while a run goes on: the live view on a terminal, about twenty plain lines of
/// progress otherwise. Nothing of it waits for whoever reads. Used by one thread.
class Console {
 public:
  struct Streams {
    std::shared_ptr<report::Screen> screen;          // progress and the summary
    std::function<void(const std::string&)> errors;  // warnings, whole lines; empty: to the screen
    bool is_quiet = false;                           // no progress and no summary
  };

  /// The clock must outlive it.
  Console(Streams streams, const Clock& clock);

  /// A line of its own.
  void say(const std::string& line);
  /// How far something is that training does not wait for: in the live view while there is no score
  /// yet, elsewhere a line of its own.
  void note(const std::string& text);
  /// Warnings about one subject (a rank, a cell) that differ in nothing but numbers are shown once.
  /// Also when quiet.
  void warn(const std::string& subject, const std::string& text);

  /// Something has happened to the run. Its last event leaves the view as it is.
  void show(const report::RunEvent& event);
  /// A cell has told of a generation; NaN: no score was taken in it.
  void show(CellId cell, Generation generation, double score);
  /// Time has passed.
  void beat();

 private:
  void refresh();
  [[nodiscard]] double now_s() const;

  Streams streams_;
  const Clock& clock_;
  report::RunState state_;
  std::optional<report::LiveDisplay> display_;  // of a run on a terminal that has begun
  std::string note_;
  double event_clock_s_ = 0;  // when the last event came, by the clock
  std::set<std::string> warned_;
};

}  // namespace lipizz::master
