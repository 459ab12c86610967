#include "sweep/work_left.hpp"

#include <gtest/gtest.h>

#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::work_left_test {
namespace {

class WorkLeftTest : public ::testing::Test {
 protected:
  WorkLeft left(const Plan& plan) {
    return work_left(plan, ProgressReader(plan, folder_).look({}));
  }
  void set(const Plan& plan, std::size_t index, const SampleResult& result) {
    write_result(folder_of(folder_, plan.runs()[index]), result);
  }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path()};
};

TEST_F(WorkLeftTest, of_runs_that_are_not_finished) {
  const Plan plan = sample_plan();
  EXPECT_EQ(left(plan).n_generations, 12 * 8);
  set(plan, 0, {});
  EXPECT_EQ(left(plan).n_runs, 11);
  EXPECT_EQ(left(plan).n_generations, 11 * 8);
  EXPECT_EQ(left(plan).n_starts, 11);
}

TEST_F(WorkLeftTest, with_rungs_as_many_go_on_as_will) {
  const Plan plan = sample_plan(R"(, "stop_early": {"rungs": [2, 4]})");
  // 12 runs to 2, 6 of them to 4, 4 of those (2 of 3 combinations) to 8.
  EXPECT_EQ(left(plan).n_generations, 12 * 2 + 6 * 2 + 4 * 4);
  EXPECT_EQ(left(plan).n_starts, 12 + 6 + 4);
  for (std::size_t i = 0; i < 12; ++i) {
    set(plan, i, {.score = static_cast<double>(i), .generations = 2});
  }
  EXPECT_EQ(left(plan).n_generations, 6 * 2 + 4 * 4);
  EXPECT_EQ(left(plan).n_runs, 6);
}

TEST(Duration, of_work_at_a_pace) {
  const WorkLeft work{.n_runs = 4, .n_starts = 4, .n_generations = 100};
  const Pace pace{.s_per_generation = 2, .s_per_start = 5};
  EXPECT_DOUBLE_EQ(seconds_for(work, pace, 1), 220);
  EXPECT_DOUBLE_EQ(seconds_for(work, pace, 2), 110);
  EXPECT_DOUBLE_EQ(seconds_for(work, pace, 100), 55) << "no more at a time than there are";
  EXPECT_DOUBLE_EQ(seconds_for({}, pace, 2), 0);
}

}  // namespace
}  // namespace lipizz::sweep::work_left_test
