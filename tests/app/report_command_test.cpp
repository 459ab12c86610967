#include "app/report_command.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "config/json.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::report_command_test {
namespace {

TEST(ReportCommand, writes_where_it_is_told_and_prints_the_path) {
  const TemporaryFolder folder;
  write_atomically(folder / "config.json", config::to_json({}));
  const std::string run = folder.path().string();
  std::ostringstream out;
  EXPECT_EQ(report_command(parse_command_line(std::vector<std::string>{"report", run}), out), 0);
  EXPECT_EQ(out.str(), run + "/report.html\n");
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
  const std::string mine = run + "/mine.html";
  EXPECT_EQ(report_command(
                parse_command_line(std::vector<std::string>{"report", run, "--output", mine}), out),
            0);
  EXPECT_TRUE(std::filesystem::exists(mine));
}

TEST(ReportCommand, a_folder_that_is_no_run_s_is_a_mistake_of_usage) {
  const TemporaryFolder folder;
  std::ostringstream out;
  const CommandLine line =
      parse_command_line(std::vector<std::string>{"report", folder.path().string()});
  EXPECT_THROW(report_command(line, out), ConfigError);
  EXPECT_THROW(parse_command_line(std::vector<std::string>{"report"}), ConfigError);
}

}  // namespace
}  // namespace lipizz::app::report_command_test
