#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/ids.hpp"
#include "master/console.hpp"
#include "telemetry/log.hpp"

namespace lipizz::master {

/// A run tells people this: the lines of run.log, and what rank 0 shows. Used by one thread.
class RunLog {
 public:
  /// CheckpointError when the file cannot be opened.
  RunLog(const std::filesystem::path& file, Console console);
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  /// The master's own lines, which the console does not show.
  [[nodiscard]] const telemetry::Log& lines() const { return lines_; }
  [[nodiscard]] Console& console() { return console_; }

  /// A line of the master's and on the console.
  void say(const std::string& text);
  /// A warning of the master's; the console shows it once for each subject (a rank, a file).
  void warn(const std::string& subject, const std::string& text, std::optional<CellId> cell = {});
  /// A line of a worker. The console shows notices, warnings and errors.
  void add(const telemetry::LogLine& line);

 private:
  telemetry::LogFile file_;
  telemetry::Log lines_;
  Console console_;
};

}  // namespace lipizz::master
