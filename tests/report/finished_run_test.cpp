#include "report/finished_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::finished_run_test {
namespace {

TEST(FinishedRun, is_read_as_the_master_wrote_it) {
  const TemporaryFolder folder;
  write_text(folder / "result.json", master::result_json(result_of_pair()));
  const auto run = read_finished_run(folder.path());
  ASSERT_TRUE(run);
  EXPECT_EQ(run->folder, folder.path());
  EXPECT_EQ(run->name, "a");
  EXPECT_EQ(run->dataset, "mnist");
  EXPECT_EQ(run->model, "mlp");
  EXPECT_EQ(run->seed, 7);
  EXPECT_EQ(run->configuration, "0000000000000def");
  EXPECT_EQ(run->numerics, "avx2");
  EXPECT_EQ(run->torus, (grid::Torus{1, 2}));
  EXPECT_EQ(run->generations, 20);
  EXPECT_EQ(run->best_cell, CellId{1});
  EXPECT_EQ(run->score.metric, "frechet");
  EXPECT_EQ(run->score.judge, "0000000000000abc");
  EXPECT_EQ(run->score.value, 3);
  EXPECT_EQ(run->score.floor, 0.5);
  EXPECT_EQ(run->score.n_samples, 1000);
  ASSERT_TRUE(run->best);
  EXPECT_EQ(run->best->value, 2.5);
  EXPECT_EQ(run->best->n_samples, 200);
  EXPECT_EQ(run->best->generation, 12);
  EXPECT_EQ(run->best->cell, CellId{0});
  EXPECT_TRUE(run->best->has_mixture);
  EXPECT_EQ(run->training_s, 50.5);
  EXPECT_EQ(run->from_generation, 5);
}

TEST(FinishedRun, names_do_not_steer_a_terminal) {
  const TemporaryFolder folder;
  master::RunResult result = result_of_pair();
  result.scoring.metric = "\x1b[31mred";
  write_text(folder / "result.json", master::result_json(result));
  EXPECT_EQ(read_finished_run(folder.path())->score.metric, "?[31mred");
}

TEST(FinishedRun, where_no_generation_was_scored_there_is_no_best) {
  const TemporaryFolder folder;
  master::RunResult result = result_of_pair();
  result.scoring.best.reset();
  write_text(folder / "result.json", master::result_json(result));
  EXPECT_FALSE(read_finished_run(folder.path())->best);
}

TEST(FinishedRun, a_run_without_result_is_not_finished) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_finished_run(folder.path()));
}

TEST(FinishedRun, a_folder_that_is_not_there_is_an_error) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_finished_run(folder / "none"), ConfigError);
}

TEST(FinishedRun, a_result_that_no_run_wrote_is_an_error) {
  const TemporaryFolder folder;
  std::string outside = master::result_json(result_of_pair());
  outside.replace(outside.find(R"("row": 0)"), 8, R"("row": 9)");
  for (const std::string& text : {std::string("{}"), std::string("[1"), std::string(), outside}) {
    write_text(folder / "result.json", text);
    EXPECT_THROW(read_finished_run(folder.path()), CheckpointError) << text;
  }
}

}  // namespace
}  // namespace lipizz::report::finished_run_test
