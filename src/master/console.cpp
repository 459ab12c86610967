#include "master/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lipizz::master {
namespace {

constexpr Generation kPlainLines = 20;

std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return text;
}

}  // namespace

Console::Console(Streams streams, grid::Torus torus, Generation generations, const Clock& clock)
    : streams_(std::move(streams)),
      torus_(torus),
      generations_(generations),
      clock_(clock),
      start_s_(clock.now_s()) {}

void Console::clear_live_line() {
  if (has_live_line_) streams_.out("\r\x1b[K");
  has_live_line_ = false;
}

void Console::say(const std::string& line) {
  if (streams_.is_quiet) return;
  clear_live_line();
  streams_.out(line + "\n");
}

void Console::warn(const std::string& text) {
  if (!warned_.insert(without_digits(text)).second) return;
  clear_live_line();
  streams_.errors("lipizz: warning: " + text);
}

void Console::progress(Generation generation, CellId best, double score, double floor) {
  const bool is_live = streams_.is_terminal;
  const Generation step = std::max<Generation>(1, generations_ / kPlainLines);
  const bool is_due =
      is_live || generation == 1 || generation == generations_ || generation % step == 0;
  if (streams_.is_quiet || !is_due) return;

  const double seconds_per_generation = (clock_.now_s() - start_s_) / generation;
  std::string line =
      fmt::format("generation {}/{}  best score {:.4g}", generation, generations_, score);
  if (!std::isnan(floor)) line += fmt::format(" (floor {:.4g})", floor);
  line += fmt::format("  cell ({}, {})  {} left", torus_.row(best), torus_.column(best),
                      duration_text(seconds_per_generation * (generations_ - generation)));
  clear_live_line();
  streams_.out(is_live ? line : line + "\n");
  has_live_line_ = is_live;
}

std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace lipizz::master
