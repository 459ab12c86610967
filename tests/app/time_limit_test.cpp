#include "app/time_limit.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "core/error.hpp"

namespace lipizz::app::time_limit_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(TimeLimit, is_written_as_schedulers_write_times) {
  EXPECT_EQ(duration_s("1"), 1);
  EXPECT_EQ(duration_s("3600"), 3600);
  EXPECT_EQ(duration_s("15:00"), 900);
  EXPECT_EQ(duration_s("90:05"), 5405);
  EXPECT_EQ(duration_s("2:30:00"), 9000);
  EXPECT_EQ(duration_s("00:00:01"), 1);
  EXPECT_EQ(duration_s("1-12:00:00"), 129'600);
  EXPECT_EQ(duration_s("30-00:00:07"), 2'592'007);
  EXPECT_EQ(duration_s("4294967295-00:00:00"), 4294967295.0 * 86400);
}

TEST(TimeLimit, that_is_no_time_is_refused) {
  for (const char* text :
       {"",          "0",         "0:00",     "0-00:00:00", "-",   ":",          "x",
        "1x",        "x1",        "-5",       "+5",         "1.5", " 5",         "5 ",
        "5:",        ":5",        "1::2",     "1:2:3:4",    "1-",  "1-2",        "1-2:3",
        "1-2-3:4:5", "1-2:3:4:5", "-1:00:00", "1e3",        "60s", "4294967296", "UNLIMITED"}) {
    try {
      duration_s(text);
      ADD_FAILURE() << "took \"" << text << "\"";
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr("found \"" + std::string(text) + "\""));
    }
  }
}

class SlurmJob : public ::testing::Test {
 protected:
  void SetUp() override { unsetenv("SLURM_JOB_ID"); }
  void TearDown() override { unsetenv("SLURM_JOB_ID"); }

  // The seconds that are left when squeue prints this.
  std::optional<double> left_s(const std::string& printed) {
    return slurm_time_left_s([&](const std::string& command) {
      commands_.push_back(command);
      return printed;
    });
  }
  std::vector<std::string> commands_;
};

TEST_F(SlurmJob, tells_what_is_left_of_it) {
  setenv("SLURM_JOB_ID", "4711", 1);
  EXPECT_THAT(left_s("1-02:00:05\n"), Optional(93'605));
  EXPECT_THAT(left_s("  59:30  \n"), Optional(3570));
  EXPECT_THAT(left_s("42"), Optional(42));
  EXPECT_THAT(commands_.front(), HasSubstr("squeue"));
  EXPECT_THAT(commands_.front(), HasSubstr("--job 4711 "));
}

TEST_F(SlurmJob, may_have_no_limit_or_not_tell) {
  setenv("SLURM_JOB_ID", "4711", 1);
  for (const char* printed : {"", "UNLIMITED\n", "NOT_SET\n", "INVALID\n", "0:00\n",
                              "slurm_load_jobs error: Invalid job id specified\n"}) {
    EXPECT_EQ(left_s(printed), std::nullopt) << printed;
  }
}

TEST_F(SlurmJob, outside_of_one_nobody_is_asked) {
  EXPECT_EQ(left_s("59:30"), std::nullopt);
  for (const char* id : {"", "x", "1; rm -rf x", "-1"}) {
    setenv("SLURM_JOB_ID", id, 1);
    EXPECT_EQ(left_s("59:30"), std::nullopt) << id;
  }
  EXPECT_THAT(commands_, ::testing::IsEmpty());
}

}  // namespace
}  // namespace lipizz::app::time_limit_test
