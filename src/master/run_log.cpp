#include "master/run_log.hpp"

#include <utility>

namespace lipizz::master {

RunLog::RunLog(const std::filesystem::path& file, Console console)
    : file_(file),
      lines_(kMaster, [this](const telemetry::LogLine& line) { file_.write(line); }),
      console_(std::move(console)) {}

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
  if (line.level == telemetry::Level::kNotice) return console_.say(line.text);
  const std::string cell = line.cell ? " cell " + std::to_string(line.cell->value) : "";
  console_.warn("rank " + std::to_string(line.rank.value) + cell, telemetry::described(line));
}

}  // namespace lipizz::master
