#include "master/run_log.hpp"

#include <chrono>
#include <utility>

namespace lipizz::master {
namespace {

double seconds_since_1970() {
  using std::chrono::milliseconds;
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const auto whole = std::chrono::duration_cast<milliseconds>(since_1970);
  return static_cast<double>(whole.count()) / 1000;
}

}  // namespace

RunLog::RunLog(const std::filesystem::path& folder, Console console)
    : file_(folder / "run.log"),
      events_(folder / "events.jsonl"),
      lines_(kMaster, [this](const telemetry::LogLine& line) { file_.write(line); }),
      console_(std::move(console)) {}

void RunLog::happened(report::RunEvent event) {
  event.at_s = seconds_since_1970();
  console_.show(event);
  events_.append(report::to_line(event) + "\n");
  warn_of_shortage(events_);
}

void RunLog::warn_of_shortage(const GrowingFile& file) {
  const std::string shortage = file.shortage();
  if (shortage.empty()) {
    waiting_.erase(&file);
  } else if (waiting_.insert(&file).second) {
    warn("shortage", shortage + "; its lines wait in memory");
  }
}

void RunLog::sync() {
  events_.sync();
  file_.sync();
}

void RunLog::show_tensorboard(const std::filesystem::path& folder, const grid::Torus& torus,
                              Generation start) {
  tensorboard_.emplace(folder, torus, start,
                       TensorboardLog::Surroundings{.now = seconds_since_1970,
                                                    .warning = [this](const std::string& text) {
                                                      warn("tensorboard", text);
                                                    }});
}

void RunLog::say(const std::string& text) {
  lines_.info(text);
  console_.say(text);
}

void RunLog::warn(const std::string& subject, const std::string& text, std::optional<CellId> cell) {
  lines_.warning(text, cell);
  console_.warn(subject, text);
}

void RunLog::add(const telemetry::LogLine& line) {
  file_.write(line);
  if (line.level == telemetry::Level::kInfo) return;
  if (line.level == telemetry::Level::kNotice) return console_.note(line.text);
  const std::string cell = line.cell ? " cell " + std::to_string(line.cell->value) : "";
  console_.warn("rank " + std::to_string(line.rank.value) + cell, telemetry::described(line));
}

}  // namespace lipizz::master
