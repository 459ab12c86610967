#include "telemetry/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>

#include "core/error.hpp"

namespace lipizz::telemetry {
namespace {

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::kInfo:
    case Level::kNotice:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
  }
  return spdlog::level::off;
}

// The library would make the folder, which somebody may just have removed.
std::string in_a_folder(const std::filesystem::path& path) {
  std::error_code failure;
  if (!path.has_parent_path() || std::filesystem::is_directory(path.parent_path(), failure)) {
    return path.string();
  }
  throw CheckpointError("the log cannot be opened: there is no folder " +
                        path.parent_path().string());
}

}  // namespace

void Log::write(Level level, std::string text, std::optional<CellId> cell) const {
  sink_({std::chrono::system_clock::now(), level, rank_, cell, std::move(text)});
}

struct LogFile::Impl {
  explicit Impl(const std::string& path) : sink(path) {
    sink.set_formatter(std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%eZ %l %v",
                                                                   spdlog::pattern_time_type::utc));
  }
  spdlog::sinks::basic_file_sink_mt sink;
};

LogFile::LogFile(const std::filesystem::path& path) try
    : impl_(std::make_unique<Impl>(in_a_folder(path))) {
} catch (const spdlog::spdlog_ex& failure) {
  throw CheckpointError(std::string("the log cannot be opened: ") + failure.what());
}

LogFile::~LogFile() = default;

void LogFile::write(const LogLine& line) {
  try {
    impl_->sink.log(
        spdlog::details::log_msg(line.time, {}, "", spdlog_level(line.level), described(line)));
    impl_->sink.flush();
  } catch (const spdlog::spdlog_ex& failure) {
    throw CheckpointError(std::string("the log cannot be written: ") + failure.what());
  }
}

}  // namespace lipizz::telemetry
