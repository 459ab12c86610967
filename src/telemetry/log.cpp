#include "telemetry/log.hpp"

#include <spdlog/pattern_formatter.h>

#include <mutex>

#include "core/growing_file.hpp"

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

}  // namespace

void Log::write(Level level, std::string text, std::optional<CellId> cell) const {
  sink_({std::chrono::system_clock::now(), level, rank_, cell, std::move(text)});
}

struct LogFile::Impl {
  explicit Impl(const std::filesystem::path& path) : file(path) {}

  std::mutex mutex;
  spdlog::pattern_formatter formatter{"%Y-%m-%dT%H:%M:%S.%eZ %l %v",
                                      spdlog::pattern_time_type::utc};
  GrowingFile file;
};

LogFile::LogFile(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}

LogFile::~LogFile() = default;

void LogFile::write(const LogLine& line) {
  const std::string text = described(line);
  const std::scoped_lock lock(impl_->mutex);
  spdlog::memory_buf_t formatted;
  impl_->formatter.format({line.time, {}, "", spdlog_level(line.level), text}, formatted);
  impl_->file.append({formatted.data(), formatted.size()});
}

void LogFile::sync() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->file.sync();
}

}  // namespace lipizz::telemetry
