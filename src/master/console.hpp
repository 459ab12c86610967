#pragma once

#include <functional>
#include <set>
#include <string>

#include "core/clock.hpp"
#include "core/ids.hpp"
#include "grid/torus.hpp"

namespace lipizz::master {

/// Rank 0 shows this while a run goes on: one live line on a terminal, about twenty plain lines
/// otherwise. Used by one thread.
class Console {
 public:
  struct Streams {
    std::function<void(const std::string&)> out;     // progress and the summary, as they are
    std::function<void(const std::string&)> errors;  // warnings, whole lines
    bool is_terminal = false;
    bool is_quiet = false;  // no progress and no summary
  };

  /// The clock must outlive it.
  Console(Streams streams, grid::Torus torus, Generation generations, const Clock& clock);

  /// A line of its own.
  void say(const std::string& line);
  /// Warnings about one subject (a rank, a cell) that differ in nothing but numbers are shown once.
  /// Also when quiet.
  void warn(const std::string& subject, const std::string& text);
  /// The best score of a generation that all cells have evaluated, of the metric of this name. A
  /// NaN is no score: none was taken, or no sample was finite. `floor` is what real samples score.
  struct Best {
    CellId cell;
    double score;
    std::string metric;
    double floor;
  };
  /// The time left is estimated from the generations after the first one told, which bears the
  /// start's costs.
  void progress(Generation generation, const Best& best);

 private:
  void clear_live_line();
  std::string time_left(Generation generation);

  Streams streams_;
  grid::Torus torus_;
  Generation generations_;
  const Clock& clock_;
  Generation first_generation_ = 0;  // that progress() was told of, and when
  double first_s_ = 0;
  bool has_live_line_ = false;
  std::set<std::string> warned_;
};

/// `45 s`, `12 min`, `3.5 h`
std::string duration_text(double seconds);

}  // namespace lipizz::master
