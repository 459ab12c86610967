#include "telemetry/log_line.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace lipizz::telemetry::log_line_test {
namespace {

LogLine example() {
  LogLine line{{}, Level::kError, Rank{4}, CellId{9}, "gone"};
  line.time += std::chrono::microseconds(123'456'789);
  return line;
}

TEST(LogLine, survives_the_wire) {
  for (const bool with_cell : {true, false}) {
    LogLine line = example();
    if (!with_cell) line.cell.reset();
    const LogLine back = decode_log_line(encode(line));
    EXPECT_EQ(back.time, line.time);
    EXPECT_EQ(back.level, line.level);
    EXPECT_EQ(back.rank, line.rank);
    EXPECT_EQ(back.cell, line.cell);
    EXPECT_EQ(back.text, line.text);
  }
}

TEST(LogLine, every_cut_and_an_unknown_level_are_refused) {
  const Bytes bytes = encode(example());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(decode_log_line(std::span(bytes).first(n)), CommError) << n;
  }
  Bytes wrong = bytes;
  wrong[8] = std::byte{4};
  EXPECT_THROW(decode_log_line(wrong), CommError);
  wrong = bytes;
  wrong.push_back({});
  EXPECT_THROW(decode_log_line(wrong), CommError);
}

TEST(LogLine, impossible_times_and_cells_are_refused) {
  const auto with = [](std::int64_t time_us, std::int64_t cell) {
    ByteWriter writer;
    writer.value(time_us);
    writer.value(Level::kInfo);
    writer.value(std::int32_t{1});
    writer.value(cell);
    writer.text("hello");
    return writer.take();
  };
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(decode_log_line(with(1, -1)).text, "hello");
  EXPECT_THROW(decode_log_line(with(kMost, -1)), CommError) << "would not fit the clock";
  EXPECT_THROW(decode_log_line(with(-1, -1)), CommError);
  EXPECT_THROW(decode_log_line(with(1, -2)), CommError);
  EXPECT_THROW(decode_log_line(with(1, kMost)), CommError);
}

TEST(LogLine, says_who) {
  EXPECT_EQ(described(example()), "rank 4 cell 9: gone");
}

}  // namespace
}  // namespace lipizz::telemetry::log_line_test
