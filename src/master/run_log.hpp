#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "core/growing_file.hpp"
#include "core/ids.hpp"
#include "master/console.hpp"
#include "master/tensorboard_log.hpp"
#include "report/run_event.hpp"
#include "telemetry/log.hpp"

namespace lipizz::master {

/// A run tells this: the lines of run.log, for people, the events of events.jsonl, for programs,
/// and what rank 0 shows. Used by one thread.
class RunLog {
 public:
  /// Both files go on behind what they hold. CheckpointError when one cannot be opened.
  RunLog(const std::filesystem::path& folder, Console console);
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  /// The master's own lines, which the console does not show.
  [[nodiscard]] const telemetry::Log& lines() const { return lines_; }
  [[nodiscard]] Console& console() { return console_; }

  /// An event, whose time is now; the console is told as well. CheckpointError when it cannot be
  /// written; on a full disk it waits for room, of which a warning tells.
  void happened(report::RunEvent event);
  /// A line of the master's and on the console.
  void say(const std::string& text);
  /// Warns that lines of this file wait for room, where they begin to.
  void warn_of_shortage(const GrowingFile& file);
  /// Puts both files on the disk. CheckpointError, also where lines still wait for room.
  void sync();
  /// A warning of the master's; the console shows it once for each subject (a rank, a file).
  void warn(const std::string& subject, const std::string& text, std::optional<CellId> cell = {});
  /// A line of a worker. The console shows notices, warnings and errors.
  void add(const telemetry::LogLine& line);

  /// From now on TensorBoard is shown the run in this folder, too: the generations behind `start`.
  void show_tensorboard(const std::filesystem::path& folder, const grid::Torus& torus,
                        Generation start);
  /// Null where it is not.
  [[nodiscard]] TensorboardLog* tensorboard() { return tensorboard_ ? &*tensorboard_ : nullptr; }

 private:
  telemetry::LogFile file_;
  GrowingFile events_;
  telemetry::Log lines_;
  Console console_;
  std::optional<TensorboardLog> tensorboard_;
  std::set<const GrowingFile*> waiting_;  // those of which a warning has told
};

}  // namespace lipizz::master
