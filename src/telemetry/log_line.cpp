#include "telemetry/log_line.hpp"

#include <limits>

#include "core/error.hpp"

namespace lipizz::telemetry {
namespace {

constexpr std::int64_t kNoCell = -1;

// Since 1970; more does not fit the clock.
std::chrono::microseconds read_time(ByteReader& reader) {
  using std::chrono::microseconds;
  const auto n = reader.value<std::int64_t>();
  constexpr auto kMost =
      std::chrono::duration_cast<microseconds>(std::chrono::hours(24 * 365 * 200));
  if (n < 0 || n > kMost.count()) throw CommError("a log line from an impossible time arrived");
  return microseconds(n);
}

}  // namespace

Bytes encode(const LogLine& line) {
  using std::chrono::microseconds;
  ByteWriter writer;
  writer.value(static_cast<std::int64_t>(
      std::chrono::duration_cast<microseconds>(line.time.time_since_epoch()).count()));
  writer.value(line.level);
  writer.value(static_cast<std::int32_t>(line.rank.value));
  writer.value(line.cell ? std::int64_t{line.cell->value} : kNoCell);
  writer.text(line.text);
  return writer.take();
}

LogLine decode_log_line(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "a log line");
  LogLine line;
  line.time += std::chrono::duration_cast<std::chrono::system_clock::duration>(read_time(reader));
  line.level = reader.value<Level>();
  if (line.level > Level::kError) throw CommError("a log line of an unknown level arrived");
  line.rank = {reader.value<std::int32_t>()};
  if (const auto cell = reader.value<std::int64_t>(); cell != kNoCell) {
    if (cell < 0 || cell > std::numeric_limits<std::uint32_t>::max()) {
      throw CommError("a log line about no cell that could be arrived");
    }
    line.cell = CellId{static_cast<std::uint32_t>(cell)};
  }
  line.text = reader.text();
  reader.expect_end();
  return line;
}

std::string described(const LogLine& line) {
  std::string who = "rank " + std::to_string(line.rank.value);
  if (line.cell) who += " cell " + std::to_string(line.cell->value);
  return who + ": " + line.text;
}

}  // namespace lipizz::telemetry
