#include "sweep/progress.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::progress_test {
namespace {

class ProgressTest : public ::testing::Test {
 protected:
  Progress look() {
    claimer_.beat();
    return reader_.look(claimer_.now());
  }
  RunState state(std::size_t index) { return look().runs[index].state; }
  const PlannedRun& run(std::size_t index) { return plan_.runs()[index]; }
  std::filesystem::path folder(std::size_t index) { return folder_of(folder_, run(index)); }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path()};
  Plan plan_ = sample_plan();
  Claimer claimer_{folder_.claims(), this_process(), ""};
  ProgressReader reader_{plan_, folder_};
};

ProcessIdentity gone() {
  ProcessIdentity identity = this_process();
  --identity.start;
  return identity;
}

TEST_F(ProgressTest, at_first_everything_waits) {
  EXPECT_EQ(look().count(RunState::kWaiting), 12);
  EXPECT_EQ(look().runs[0].target, 8);
}

TEST_F(ProgressTest, a_claimed_run_is_running_and_then_finished) {
  claimer_.claim(run(1).id, 1);
  EXPECT_EQ(state(1), RunState::kRunning);
  write_result(folder(1), {.score = 2});
  EXPECT_EQ(state(1), RunState::kRunning) << "until its claim has ended";
  claimer_.end(run(1).id, 1, {.exit_code = 0, .text = {}});
  EXPECT_EQ(state(1), RunState::kFinished);
  EXPECT_EQ(look().runs[1].result()->score.value, 2);
}

TEST_F(ProgressTest, a_result_counts_whoever_made_it) {
  write_result(folder(0), {});
  EXPECT_EQ(state(0), RunState::kFinished);
}

TEST_F(ProgressTest, a_run_is_found_again_under_another_readable_name) {
  write_result(folder_.runs() / ("whatever-" + run(0).id), {});
  EXPECT_EQ(state(0), RunState::kFinished);
}

TEST_F(ProgressTest, a_run_that_was_saved_waits_again) {
  claimer_.claim(run(0).id, 1);
  claimer_.end(run(0).id, 1, {.exit_code = 75, .text = {}});
  EXPECT_EQ(state(0), RunState::kWaiting);
  EXPECT_EQ(look().runs[0].claim.n, 1);
}

TEST_F(ProgressTest, a_run_that_failed_says_so_until_that_is_forgiven) {
  claimer_.claim(run(0).id, 1);
  claimer_.end(run(0).id, 1, {.exit_code = 5, .text = "no number is left"});
  EXPECT_EQ(state(0), RunState::kFailed);
  EXPECT_EQ(look().runs[0].end->text, "no number is left");
  reader_.forgive_failures();
  EXPECT_EQ(state(0), RunState::kWaiting);
  EXPECT_EQ(state(0), RunState::kWaiting);
  claimer_.claim(run(0).id, 2);
  claimer_.end(run(0).id, 2, {.exit_code = 5, .text = "again"});
  EXPECT_EQ(state(0), RunState::kFailed) << "once";
}

TEST_F(ProgressTest, the_run_of_a_process_that_is_gone_is_stale) {
  Claimer lost(folder_.claims(), gone(), "");
  lost.claim(run(0).id, 1);
  EXPECT_EQ(state(0), RunState::kStale);
  write_result(folder(0), {});
  EXPECT_EQ(state(0), RunState::kFinished) << "it was quick enough";
}

TEST_F(ProgressTest, a_run_whose_folder_is_locked_is_still_saving) {
  Claimer lost(folder_.claims(), gone(), "");
  lost.claim(run(0).id, 1);
  write_text(folder(0) / ".lock", "");
  EXPECT_EQ(state(0), RunState::kStale);
  const int descriptor = open((folder(0) / ".lock").c_str(), O_RDWR | O_CLOEXEC);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  ASSERT_EQ(fcntl(descriptor, F_OFD_SETLK, &lock), 0);
  EXPECT_EQ(state(0), RunState::kRunning);
  close(descriptor);
  EXPECT_EQ(state(0), RunState::kStale);
}

TEST_F(ProgressTest, a_result_that_was_removed_is_made_again) {
  claimer_.claim(run(0).id, 1);
  write_result(folder(0), {});
  claimer_.end(run(0).id, 1, {.exit_code = 0, .text = {}});
  EXPECT_EQ(state(0), RunState::kFinished);
  std::filesystem::remove_all(folder(0));
  EXPECT_EQ(state(0), RunState::kWaiting);
}

TEST_F(ProgressTest, with_rungs_a_run_goes_on_when_all_are_there) {
  const Plan plan = sample_plan(R"(, "stop_early": {"rungs": [2]})");
  ProgressReader reader(plan, folder_);
  for (std::size_t i = 0; i < 11; ++i) {
    write_result(folder(i), {.score = 1.0 + static_cast<double>(i), .generations = 2});
  }
  EXPECT_EQ(reader.look(claimer_.now()).count(RunState::kAtRung), 11);
  EXPECT_EQ(reader.look(claimer_.now()).runs[11].target, 2);
  write_result(folder(11), {.score = 0.5, .generations = 2});
  Progress progress = reader.look(claimer_.now());
  EXPECT_EQ(progress.count(RunState::kStopped), 6);
  EXPECT_EQ(progress.count(RunState::kWaiting), 6);
  EXPECT_EQ(progress.runs[0].target, 8);
  // As it trains on, its result of the rung is set aside.
  std::filesystem::create_directory(folder(0) / "set-aside-1");
  std::filesystem::rename(folder(0) / "result.json", folder(0) / "set-aside-1/result.json");
  progress = reader.look(claimer_.now());
  EXPECT_EQ(progress.count(RunState::kStopped), 6);
  EXPECT_EQ(progress.runs[0].state, RunState::kWaiting);
  write_result(folder(0), {.score = 100, .generations = 8});
  EXPECT_EQ(reader.look(claimer_.now()).runs[0].state, RunState::kFinished)
      << "what became of it later does not matter to the rung";
}

TEST_F(ProgressTest, a_failed_run_does_not_hold_a_rung_up) {
  const Plan plan = sample_plan(R"(, "stop_early": {"rungs": [2]})");
  ProgressReader reader(plan, folder_);
  for (std::size_t i = 1; i < 12; ++i) write_result(folder(i), {.score = 1, .generations = 2});
  claimer_.claim(run(0).id, 1);
  claimer_.end(run(0).id, 1, {.exit_code = 5, .text = {}});
  const Progress progress = reader.look(claimer_.now());
  EXPECT_EQ(progress.runs[0].state, RunState::kFailed);
  EXPECT_EQ(progress.runs[1].state, RunState::kStopped);
  EXPECT_EQ(progress.runs[2].state, RunState::kWaiting);
}

TEST(RunStates, have_names_of_their_own) {
  EXPECT_EQ(name_of(RunState::kWaiting), "waiting");
  EXPECT_NE(name_of(RunState::kStale), name_of(RunState::kStopped));
}

}  // namespace
}  // namespace lipizz::sweep::progress_test
