#include "sweep/figures.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::figures_test {
namespace {

using ::testing::HasSubstr;

class FiguresTest : public ::testing::Test {
 protected:
  FiguresTest() {
    for (std::size_t i = 0; i < 12; ++i) set(i, {.score = 10.0 - static_cast<double>(i / 2)});
  }
  void set(std::size_t index, const SampleResult& result) {
    write_result(folder_of(folder_, plan_.runs()[index]), result);
  }
  Progress progress() { return ProgressReader(plan_, folder_).look({}); }
  Figures figures() { return figures_of(plan_, progress()); }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path()};
  Plan plan_ = sample_plan();
};

TEST_F(FiguresTest, a_row_for_each_combination_the_best_first) {
  set(10, {.score = 4});
  const Figures found = figures();
  ASSERT_EQ(found.rows.size(), 6);
  ASSERT_EQ(found.kinds.size(), 1);
  EXPECT_TRUE(found.notes.empty());
  EXPECT_EQ(found.rows[0].combination, 5);
  EXPECT_EQ(found.rows[0].scores, (std::vector<double>{4, 5}));
  EXPECT_DOUBLE_EQ(found.rows[0].score.mean, 4.5);
  EXPECT_DOUBLE_EQ(found.rows[0].score.standard_error, 0.5);
  EXPECT_DOUBLE_EQ(found.rows[0].floor, 0.5);
  EXPECT_EQ(found.rows[5].combination, 0);
  EXPECT_EQ(best_of(found, found.kinds[0], 2), &found.rows[0]);
}

TEST_F(FiguresTest, scores_of_different_kinds_are_kept_apart) {
  set(0, {.score = 1, .judge = "4444444444444444"});
  const Figures found = figures();
  ASSERT_EQ(found.kinds.size(), 2);
  ASSERT_EQ(found.rows.size(), 7);
  EXPECT_EQ(found.rows[6].kind.judge, "4444444444444444");
  EXPECT_EQ(found.rows[6].score.n, 1);
  ASSERT_EQ(found.notes.size(), 2);
  EXPECT_THAT(found.notes[0], HasSubstr("neither averaged nor ranked together"));
  EXPECT_THAT(found.notes[1], HasSubstr("learning_rate=0.001 loss=bce"));
  EXPECT_EQ(best_of(found, found.kinds[0], 2)->combination, 5);
}

TEST_F(FiguresTest, so_are_those_of_other_numbers_of_samples_or_generations) {
  set(0, {.score = 1, .n_samples = 7});
  EXPECT_EQ(figures().kinds.size(), 2);
  set(0, {.score = 1, .generations = 9});
  const Figures found = figures();
  EXPECT_EQ(found.kinds.size(), 1);
  EXPECT_EQ(found.rows.size(), 7);
  EXPECT_EQ(found.rows[0].generations, 9) << "the longest trained first";
}

TEST_F(FiguresTest, what_is_missing_is_noted_and_does_not_win) {
  std::filesystem::remove_all(folder_of(folder_, plan_.runs()[11]));
  const Figures found = figures();
  EXPECT_EQ(found.rows[0].score.n, 1);
  EXPECT_EQ(best_of(found, found.kinds[0], 2), &found.rows[1]);
  ASSERT_EQ(found.notes.size(), 1);
  EXPECT_EQ(found.notes[0], "1 of 12 runs have no result yet");
}

TEST_F(FiguresTest, a_run_that_diverged_is_no_part_of_the_mean_and_does_not_win) {
  set(11, {.score = std::numeric_limits<double>::quiet_NaN()});
  const Figures found = figures();
  EXPECT_EQ(found.rows[0].score.n, 1);
  EXPECT_EQ(found.rows[0].score.n_without, 1);
  EXPECT_EQ(best_of(found, found.kinds[0], 2), &found.rows[1]);
}

TEST_F(FiguresTest, runs_with_patience_are_averaged_however_long_they_were) {
  plan_ = Plan(parsed(R"({"base": {"data": {"dataset": "ring8"}, "generations": 8,
                          "stop": {"patience": 2}}, "seeds": 2})"));
  set(0, {.score = 1, .generations = 4});
  set(1, {.score = 3, .generations = 6});
  const Figures found = figures();
  ASSERT_EQ(found.rows.size(), 1);
  EXPECT_DOUBLE_EQ(found.rows[0].score.mean, 2);
  EXPECT_EQ(progress().count(RunState::kFinished), 2);
}

TEST_F(FiguresTest, along_an_axis) {
  const Figures found = figures();
  const auto points = along_axis(plan_, found, found.kinds[0], 1);
  ASSERT_EQ(points.size(), 2);
  EXPECT_EQ(points[0].value, "bce");
  EXPECT_DOUBLE_EQ(points[0].mean.mean, 8);  // 10, 8, 6
  EXPECT_EQ(points[1].mean.n, 3);
  EXPECT_DOUBLE_EQ(points[1].mean.mean, 7);  // 9, 7, 5
}

TEST_F(FiguresTest, what_stopping_early_saves) {
  const Plan plan = sample_plan(R"(, "stop_early": {"rungs": [2]})");
  for (std::size_t i = 0; i < 12; ++i) {
    set(i, {.score = static_cast<double>(i / 2), .generations = i < 6 ? 8U : 2U, .training_s = 1});
  }
  const Savings savings = savings_of(plan, ProgressReader(plan, folder_).look({}));
  EXPECT_EQ(savings.generations, 6 * 6);
  EXPECT_EQ(savings.generations_of_all, 12 * 8);
  EXPECT_DOUBLE_EQ(savings.seconds, 6 * 6 * 0.5);
}

}  // namespace
}  // namespace lipizz::sweep::figures_test
