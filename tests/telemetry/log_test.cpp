#include "telemetry/log.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "core/error.hpp"

namespace lipizz::telemetry::log_test {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(Log, stamps_rank_level_and_time) {
  std::vector<LogLine> seen;
  const Log log(Rank{3}, [&](const LogLine& line) { seen.push_back(line); });
  const auto before = std::chrono::system_clock::now();
  log.info("a");
  log.warning("b", CellId{7});
  log.error("c");
  log.notice("d");
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[0].level, Level::kInfo);
  EXPECT_EQ(seen[1].level, Level::kWarning);
  EXPECT_EQ(seen[2].level, Level::kError);
  EXPECT_EQ(seen[3].level, Level::kNotice);
  EXPECT_EQ(seen[1].cell, CellId{7});
  EXPECT_FALSE(seen[2].cell);
  EXPECT_EQ(seen[2].rank, Rank{3});
  EXPECT_GE(seen[0].time, before);
}

TEST(LogFile, appends_lines_with_utc_time) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "lipizz_log_test.log";
  std::filesystem::remove(path);
  LogLine line{{}, Level::kWarning, Rank{2}, CellId{5}, "late"};
  line.time += std::chrono::milliseconds(1'000'000'000'123);  // 2001-09-09T01:46:40.123Z
  {
    LogFile file(path);
    file.write(line);
    line.cell.reset();
    file.write(line);
    EXPECT_EQ(lines_of(path).size(), 2U) << "a written line is in the file at once";
  }
  EXPECT_THAT(lines_of(path),
              ::testing::ElementsAre("2001-09-09T01:46:40.123Z warning rank 2 cell 5: late",
                                     "2001-09-09T01:46:40.123Z warning rank 2: late"));
  std::filesystem::remove(path);
}

TEST(LogFile, an_unusable_place_is_an_error) {
  EXPECT_THROW(LogFile("/dev/null/run.log"), CheckpointError);
}

}  // namespace
}  // namespace lipizz::telemetry::log_test
