#include "sweep/texts.hpp"

#include <gmock/gmock.h>

#include "core/text.hpp"
#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::texts_test {
namespace {

using ::testing::HasSubstr;

class Texts : public ::testing::Test {
 protected:
  Progress progress() { return ProgressReader(plan_, folder_).look(claimer_.now()); }
  std::string status() { return status_text(plan_, folder_, progress()); }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path()};
  Plan plan_ = sample_plan();
  Claimer claimer_{folder_.claims(), this_process(), "Slurm job 7"};
};

TEST_F(Texts, a_plan_shows_what_differs_and_what_is_finished) {
  write_result(folder_of(folder_, plan_.runs()[0]), {});
  const std::string text = plan_text(plan_, folder_, progress(), 3);
  EXPECT_THAT(text, HasSubstr("12 runs, 6 combinations with 2 seeds each\n"));
  EXPECT_THAT(text, HasSubstr("        0.001  bce             8     2         1\n"));
  EXPECT_THAT(text, HasSubstr("... and 3 more\n"));
  EXPECT_THAT(text, HasSubstr("1 finished, 11 waiting\n"));
}

TEST_F(Texts, the_status_says_who_has_what_since_when) {
  claimer_.claim(plan_.runs()[3].id, 1);
  note_start(folder_.log(plan_.runs()[3].id),
             std::chrono::system_clock::time_point(std::chrono::seconds(1'000'000'000)), "lipizz");
  const std::string text = status();
  EXPECT_THAT(text, HasSubstr("1 running, 11 waiting\n"));
  EXPECT_THAT(text, HasSubstr("seed=2"));
  EXPECT_THAT(text, HasSubstr("0/8"));
  EXPECT_THAT(text, HasSubstr("09-09 01:46"));
  EXPECT_THAT(text, HasSubstr("Slurm job 7"));
}

TEST_F(Texts, the_status_says_what_failed_and_what_to_do) {
  claimer_.claim(plan_.runs()[3].id, 1);
  claimer_.end(plan_.runs()[3].id, 1, {.exit_code = 5, .text = "no number is left"});
  const std::string text = status();
  EXPECT_THAT(text, HasSubstr("failed: learning_rate=0.001 loss=mse seed=2, code 5\n"
                              "  no number is left\n"));
  EXPECT_THAT(text, HasSubstr("--retry"));
}

TEST_F(Texts, rungs_are_shown_and_what_they_save) {
  const Plan plan = sample_plan(R"(, "stop_early": {"rungs": [2]})");
  EXPECT_EQ(rungs_text(plan_, progress()), "");
  EXPECT_EQ(rungs_text(plan, ProgressReader(plan, folder_).look({})),
            "rung at generation 2: not decided, 3 of 6 combinations will go on\n");
  for (std::size_t i = 0; i < 12; ++i) {
    write_result(folder_of(folder_, plan.runs()[i]),
                 {.score = static_cast<double>(i), .generations = 2});
  }
  EXPECT_EQ(rungs_text(plan, ProgressReader(plan, folder_).look({})),
            "rung at generation 2: 3 of 6 combinations go on\n"
            "stopping early saved 36 of 96 generations (38 %), about 72 s\n");
}

}  // namespace
}  // namespace lipizz::sweep::texts_test
