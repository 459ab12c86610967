#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "telemetry/log_line.hpp"

namespace lipizz::telemetry {

/// Where a rank's lines begin: stamps them with time and rank and hands them to the sink, which
/// sends them to the master or writes them to a file. Any thread may call it when the sink allows.
class Log {
 public:
  using Sink = std::function<void(const LogLine&)>;
  Log(Rank rank, Sink sink) : rank_(rank), sink_(std::move(sink)) {}

  void info(std::string text, std::optional<CellId> cell = {}) const {
    write(Level::kInfo, std::move(text), cell);
  }
  void notice(std::string text, std::optional<CellId> cell = {}) const {
    write(Level::kNotice, std::move(text), cell);
  }
  void warning(std::string text, std::optional<CellId> cell = {}) const {
    write(Level::kWarning, std::move(text), cell);
  }
  void error(std::string text, std::optional<CellId> cell = {}) const {
    write(Level::kError, std::move(text), cell);
  }

 private:
  void write(Level level, std::string text, std::optional<CellId> cell) const;

  Rank rank_;
  Sink sink_;
};

/// An append-only text file of log lines, each on the disk's side when write() returns, if there is
/// room: `2026-01-31T12:00:00.000Z info rank 3 cell 2: text`. Any thread may write.
class LogFile {
 public:
  /// CheckpointError when the file cannot be opened.
  explicit LogFile(const std::filesystem::path& path);
  ~LogFile();
  /// Where there is no room, lines wait for it (core/growing_file.hpp). CheckpointError where it
  /// cannot be written for another reason.
  void write(const LogLine& line);
  /// Puts all lines on the disk. CheckpointError, also where some still wait for room.
  void sync();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lipizz::telemetry
