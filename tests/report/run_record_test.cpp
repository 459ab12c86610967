#include "report/run_record.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "report/run_folder.hpp"
#include "report/run_folders.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::run_record_test {
namespace {

TEST(RunRecord, has_all_that_the_folder_has) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const RunRecord run = read_run(folder.path());
  EXPECT_EQ(run.configuration.name, "a");
  EXPECT_EQ(run.history.n_lines(), 4);
  EXPECT_EQ(run.result->best_cell, CellId{1});
  EXPECT_EQ(run.details->times.size(), 1);
  EXPECT_EQ(run.events.size(), 1);
  EXPECT_EQ(run.sheets.size(), 2);
  EXPECT_TRUE(run.grid_sheet);
  EXPECT_FALSE(run.has_best_mixture);
  EXPECT_EQ(metric_of(run), "frechet");
  EXPECT_EQ(floor_of(run), 0.5);
}

TEST(RunRecord, of_a_run_that_has_just_begun) {
  const TemporaryFolder folder;
  write_text(folder / "config.json", config::to_json({}));
  const RunRecord run = read_run(folder.path());
  EXPECT_FALSE(run.result);
  EXPECT_FALSE(run.details);
  EXPECT_EQ(run.history.generations(), 0);
  EXPECT_EQ(metric_of(run), "");
  EXPECT_TRUE(std::isnan(floor_of(run)));
}

TEST(RunRecord, without_a_result_events_tell_how_scores_are_taken) {
  const TemporaryFolder folder;
  write_run(folder.path());
  std::filesystem::remove(folder / "result.json");
  RunEvent scoring;
  scoring.kind = RunEvent::Kind::kScoring;
  scoring.metric = "modes";
  scoring.floor = 0.25;
  write_text(folder / "events.jsonl", to_line(scoring) + "\nnonsense\n");
  std::filesystem::create_directories(folder / "mixture-best");
  const RunRecord run = read_run(folder.path());
  EXPECT_EQ(metric_of(run), "modes");
  EXPECT_EQ(floor_of(run), 0.25);
  EXPECT_EQ(run.n_damaged_events, 1);
  EXPECT_TRUE(run.has_best_mixture);
}

TEST(RunRecord, a_result_of_another_grid_is_an_error) {
  const TemporaryFolder folder;
  write_run(folder.path());
  config::Experiment other;
  other.grid = {.rows = 4, .columns = 4};
  write_text(folder / "config.json", config::to_json(other));
  EXPECT_THROW(read_run(folder.path()), CheckpointError);
}

TEST(RunRecord, an_ensemble_is_no_run) {
  const TemporaryFolder folder;
  write_run(folder.path());
  write_text(folder / kEnsembleFile, "{}");
  EXPECT_THROW(read_run(folder.path()), ConfigError);
}

TEST(RunRecord, a_folder_that_is_no_run_s_is_an_error) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_run(folder.path()), ConfigError);
}

}  // namespace
}  // namespace lipizz::report::run_record_test
