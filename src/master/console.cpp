#include "master/console.hpp"

#include <algorithm>
#include <utility>

#include "report/plain_lines.hpp"

namespace lipizz::master {
namespace {

using Kind = report::RunEvent::Kind;

std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return text;
}

bool is_the_end(Kind kind) {
  return kind == Kind::kStopped || kind == Kind::kFailed || kind == Kind::kFinished;
}

}  // namespace

Console::Console(Streams streams, const Clock& clock)
    : streams_(std::move(streams)), clock_(clock) {}

// By the clock of the events, which is not that of this machine's steps.
double Console::now_s() const {
  return state_.times.last_s + clock_.now_s() - event_clock_s_;
}

void Console::say(const std::string& line) {
  if (streams_.is_quiet) return;
  if (display_) return display_->print(line);
  streams_.screen->write(line + "\n");
}

void Console::note(const std::string& text) {
  if (!display_ || !state_.improvements.empty()) return say(text);
  note_ = text;
  refresh();
}

void Console::warn(const std::string& subject, const std::string& text) {
  if (!warned_.insert(subject + ": " + without_digits(text)).second) return;
  const std::string line = "lipizz: warning: " + text;
  if (streams_.errors) return streams_.errors(line);
  if (display_) return display_->print(line);
  streams_.screen->write(line + "\n");
}

void Console::show(const report::RunEvent& event) {
  take(event, state_);
  event_clock_s_ = clock_.now_s();
  if (streams_.is_quiet) return;
  if (event.kind == Kind::kBegun && streams_.screen->is_terminal()) {
    display_.emplace(*streams_.screen);
  }
  if (display_ && is_the_end(event.kind)) {
    display_->finish(state_, event.at_s);
    display_.reset();
  }
  if (display_) return refresh();
  if (event.kind != Kind::kGeneration) return;
  if (const auto line = progress_line(state_)) say(*line);
}

void Console::show(CellId cell, Generation generation, double score) {
  take(cell, generation, score, state_);
  refresh();
}

void Console::beat() {
  if (display_) return refresh();
  streams_.screen->write({});
}

void Console::refresh() {
  if (display_) display_->show(state_, note_, now_s());
}

}  // namespace lipizz::master
