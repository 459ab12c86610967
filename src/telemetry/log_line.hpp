#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>

#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace lipizz::telemetry {

/// A notice is information that whoever watches the run is shown, as warnings and errors are.
enum class Level : std::uint8_t { kInfo = 0, kNotice, kWarning, kError };

/// One line of run.log: when, how serious, who and about which cell.
struct LogLine {
  std::chrono::system_clock::time_point time;
  Level level = Level::kInfo;
  Rank rank;
  std::optional<CellId> cell;
  std::string text;
};

/// As it travels to the master (microseconds since 1970).
Bytes encode(const LogLine& line);
/// CommError when the bytes make no sense.
LogLine decode_log_line(std::span<const std::byte> bytes);

/// `rank 3 cell 2: text`, without time and level.
std::string described(const LogLine& line);

}  // namespace lipizz::telemetry
