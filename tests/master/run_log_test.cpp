#include "master/run_log.hpp"

#include "master/machines.hpp"

namespace lipizz::master::run_log_test {
namespace {

using telemetry::Level;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

struct RunLogTest : StandingMachineTest {};

telemetry::LogLine line(Level level, std::string text) {
  return {std::chrono::system_clock::time_point(), level, Rank{3}, CellId{7}, std::move(text)};
}

TEST_F(RunLogTest, says_a_line_in_both_places) {
  log_.say("no GPU is left");
  EXPECT_THAT(log(), HasSubstr("info rank 0: no GPU is left"));
  EXPECT_EQ(out_, "no GPU is left\n");
}

TEST_F(RunLogTest, repeats_warnings_in_the_file_alone) {
  log_.warn("rank 2", "rank 2 is late: silent for 2 s");
  log_.warn("rank 2", "rank 2 is late: silent for 3 s", CellId{1});
  EXPECT_THAT(log(), ContainsRegex("warning rank 0: rank 2 is late: silent for 2 s"));
  EXPECT_THAT(log(), ContainsRegex("warning rank 0 cell 1: rank 2 is late: silent for 3 s"));
  EXPECT_EQ(errors_, "lipizz: warning: rank 2 is late: silent for 2 s\n");
}

TEST_F(RunLogTest, warns_once_of_lines_that_wait_for_room) {
  GrowingFile file("/dev/full");
  log_.warn_of_shortage(file);
  EXPECT_EQ(errors_, "") << "nothing waits";
  file.append("a");
  for (int i = 0; i < 2; ++i) log_.warn_of_shortage(file);
  const std::string warning = file.shortage() + "; its lines wait in memory\n";
  EXPECT_THAT(warning, HasSubstr("cannot write /dev/full: No space left"));
  EXPECT_EQ(errors_, "lipizz: warning: " + warning);
  EXPECT_THAT(log(), ::testing::EndsWith(" warning rank 0: " + warning));
  EXPECT_EQ(log().find(warning), log().rfind(warning));
}

TEST_F(RunLogTest, shows_a_workers_notices_as_they_are) {
  log_.add(line(Level::kNotice, "half is done"));
  EXPECT_THAT(log(), HasSubstr("info rank 3 cell 7: half is done"));
  EXPECT_EQ(out_, "half is done\n");
}

TEST_F(RunLogTest, shows_a_workers_lines_from_warnings_on) {
  log_.add(line(Level::kInfo, "opened its data"));
  log_.add(line(Level::kWarning, "no finite loss"));
  EXPECT_THAT(log(), HasSubstr("info rank 3 cell 7: opened its data"));
  EXPECT_THAT(log(), HasSubstr("warning rank 3 cell 7: no finite loss"));
  EXPECT_THAT(errors_, HasSubstr("no finite loss"));
  EXPECT_THAT(errors_, Not(HasSubstr("opened")));
}

}  // namespace
}  // namespace lipizz::master::run_log_test
