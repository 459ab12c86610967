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
    : streams_(std::move(streams)), torus_(torus), generations_(generations), clock_(clock) {}

void Console::clear_live_line() {
  if (has_live_line_) streams_.out("\r\x1b[K");
  has_live_line_ = false;
}

void Console::say(const std::string& line) {
  if (streams_.is_quiet) return;
  clear_live_line();
  streams_.out(line + "\n");
}

void Console::warn(const std::string& subject, const std::string& text) {
  if (!warned_.insert(subject + ": " + without_digits(text)).second) return;
  clear_live_line();
  streams_.errors("lipizz: warning: " + text);
}

std::string Console::time_left(Generation generation) {
  const double now_s = clock_.now_s();
  if (first_generation_ == 0) {
    first_generation_ = generation;
    first_s_ = now_s;
  }
  if (generation == first_generation_ || generation == generations_) return {};
  const double per_generation_s = (now_s - first_s_) / (generation - first_generation_);
  return "  " + duration_text(per_generation_s * (generations_ - generation)) + " left";
}

void Console::progress(Generation generation, const Best& best) {
  const bool is_live = streams_.is_terminal;
  const Generation step = std::max<Generation>(1, generations_ / kPlainLines);
  const bool is_due =
      is_live || generation == 1 || generation == generations_ || generation % step == 0;
  if (streams_.is_quiet || !is_due) return;

  std::string line = fmt::format("generation {}/{}", generation, generations_);
  if (std::isnan(best.score)) {
    line += "  no score";
  } else {
    line += fmt::format("  best {} {:.4g} (real samples {:.4g})  cell ({}, {})", best.metric,
                        best.score, best.floor, torus_.row(best.cell), torus_.column(best.cell));
  }
  line += time_left(generation);
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
