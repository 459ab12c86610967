#include "app/compare_command.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "config/json.hpp"
#include "core/error.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::compare_command_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CompareCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) std::filesystem::create_directories(at(name));
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / "runs" / name).string();
  }
  void write(const std::string& run, double score, std::uint64_t judge = 0xabc) {
    config::Experiment experiment;
    experiment.name = run;
    experiment.grid = {.rows = 1, .columns = 2};
    report::write_text(at(run) + "/config.json", config::to_json(experiment));
    master::RunResult result = report::result_of_pair();
    result.cells[1].score = score;
    result.scoring.judge = judge;
    report::write_text(at(run) + "/result.json", master::result_json(result));
  }
  int compare(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    std::ostringstream out;
    const int code = compare_command(parse_command_line(arguments), out);
    out_ = out.str();
    return code;
  }
  std::string complaint(const std::vector<std::string>& arguments) {
    try {
      compare(arguments);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  TemporaryFolder folder_;
  std::string out_;
};

TEST_F(CompareCommandTest, compares_runs_and_those_below_a_folder_once) {
  write("a", 3);
  write("b", 2);
  EXPECT_EQ(compare({at("a"), at("")}), 0);
  EXPECT_THAT(out_, HasSubstr("2 runs in " + (folder_.path() / "runs").string()));
  EXPECT_THAT(out_, HasSubstr("\n 1      2"));
  EXPECT_THAT(out_, HasSubstr("\n 2      3"));
  EXPECT_THAT(out_, Not(HasSubstr("left out")));
}

TEST_F(CompareCommandTest, holds_them_against_a_run_that_need_not_be_named_before) {
  write("a", 3);
  write("b", 2);
  EXPECT_EQ(compare({at("a"), "--against", at("b")}), 0);
  EXPECT_THAT(out_, HasSubstr("+1"));
  EXPECT_THAT(out_, HasSubstr("equal fingerprints, so the same result to the last bit: 2"));
}

TEST_F(CompareCommandTest, writes_a_page_where_it_is_asked_for) {
  write("a", 3);
  const std::string page = at("comparison.html");
  EXPECT_EQ(compare({at("a"), "--output", page}), 0);
  EXPECT_THAT(out_, HasSubstr("written: " + page));
  EXPECT_TRUE(std::filesystem::exists(page));
  EXPECT_THAT(complaint({at("a"), "--output", at("a") + "/config.json"}),
              HasSubstr("expected a page of lipizz"));
}

TEST_F(CompareCommandTest, what_cannot_be_read_below_a_folder_is_left_out_and_told) {
  write("a", 3);
  write("b", 2);
  report::write_text(at("b") + "/result.json", "{");
  EXPECT_EQ(compare({at("")}), static_cast<int>(ExitCode::kCheckpoint));
  EXPECT_THAT(out_, HasSubstr("\n 1      3"));
  EXPECT_THAT(out_,
              HasSubstr("left out\n" + at("b") + "/result.json: expected the result of a run"));
  EXPECT_THAT(complaint({at("a"), at("b")}), HasSubstr(at("b") + "/result.json: expected"));
}

TEST_F(CompareCommandTest, different_judges_are_refused) {
  write("a", 3);
  write("b", 2, 0xdef);
  EXPECT_THAT(complaint({at("a"), at("b")}),
              HasSubstr("expected runs whose scores were taken by one judge, found 2: "));
}

TEST_F(CompareCommandTest, what_is_no_run_is_refused) {
  write("a", 3);
  EXPECT_THAT(complaint({}), HasSubstr("compare: expected RUN..."));
  EXPECT_THAT(complaint({at("none")}), HasSubstr("found nothing at " + at("none")));
  EXPECT_THAT(complaint({at("a/config.json")}), HasSubstr("found a file at"));
  EXPECT_THAT(complaint({at("b")}), HasSubstr("no config.json at or below"));
  EXPECT_THAT(complaint({at("a"), "--against", at("b")}),
              HasSubstr("--against: expected the folder"));
  EXPECT_THAT(complaint({at("a"), "--against", ""}), HasSubstr("--against: expected a path"));
  EXPECT_THAT(complaint({at("a"), "--seed", "1"}), HasSubstr("compare does not take --seed"));
}

}  // namespace
}  // namespace lipizz::app::compare_command_test
