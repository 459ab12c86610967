#include "worker/job.hpp"

#include "worker_run.hpp"

namespace lipizz::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JobTest : public WorkerTest {};

TEST_F(JobTest, saves_every_so_many_generations_and_at_the_end) {
  experiment_.checkpoint.every = "2";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(2, 3));
  EXPECT_FALSE(fs::exists(file(1, 0)));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, saves_wherever_the_master_has_said) {
  begin_halves_with({{1, comm::Directive::kNever}, {2, comm::Directive::kNever}});
  EXPECT_THAT(saved_generations(), ElementsAre(1, 2, 3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, trains_asynchronously_to_the_same_end_where_it_has_all_cells) {
  const auto synchronous = undisturbed();
  experiment_.exchange.mode = "async";
  EXPECT_EQ(undisturbed(), synchronous);
}

TEST_F(JobTest, saves_the_end_alone_when_saving_is_off) {
  experiment_.checkpoint.every = "off";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, tells_what_it_cannot_save_and_trains_on) {
  std::ofstream(folder_ / "checkpoints") << "in the way";
  begin();
  for (std::uint32_t cell = 0; cell < 2; ++cell) {
    const auto saved = next_of<comm::Saved>(MessageKind::kSaved);
    EXPECT_EQ(saved.cell, CellId{cell});
    EXPECT_EQ(saved.generation, 3U);
    EXPECT_THAT(saved.error, HasSubstr("generation-000003"));
  }
  tell(MessageKind::kTask, comm::Task{comm::TaskKind::kFinalFiles, {1}, 3, Rank{1}}.encode());
  EXPECT_EQ(next_of<comm::TaskDone>(MessageKind::kTaskDone).file, "samples/grid.png");
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, goes_on_from_its_cells_files_to_the_same_end) {
  experiment_.checkpoint.every = "1";
  begin();
  const auto expected = fingerprints();
  EXPECT_EQ(stop(0), 0);
  for (const Generation from : {1U, 2U, 3U}) {
    begin(from);
    if (from < 3) {
      EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, from + 1);
    }
    EXPECT_EQ(fingerprints(), expected) << "from generation " << from;
    EXPECT_EQ(stop(0), 0);
  }
}

TEST_F(JobTest, files_that_it_cannot_go_on_from_are_an_error) {
  experiment_.checkpoint.every = "1";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(1, 2, 3));
  EXPECT_EQ(stop(0), 0);
  const auto refused = [&](const std::string& reason) {
    begin(2);
    const auto failure = next_of<comm::Failure>(MessageKind::kFailure);
    EXPECT_EQ(failure.exit_code, 6);
    EXPECT_THAT(failure.message, HasSubstr(reason));
    EXPECT_EQ(stop(6), 6);
  };
  experiment_.seed = 2;
  refused("cell 0 of this run");
  experiment_.seed = 1;
  experiment_.data.dataset = "grid25";
  refused("the same data");
  experiment_.data.dataset = "ring8";
  fs::remove(file(2, 1));
  refused("cell-0001");
}

TEST_F(JobTest, holds_where_it_is_told_to_and_leaves_with_everything_saved) {
  begin_halves_with({{.save_at = comm::Directive::kNever, .hold_from = 1}});
  EXPECT_EQ(next_of<comm::Paused>(MessageKind::kPaused).generation, 1U);
  EXPECT_EQ(status().state, comm::WorkerState::kProcessing) << "and answers meanwhile";
  EXPECT_EQ(stop(75), 75);
  EXPECT_TRUE(fs::exists(file(1, 0)));
  EXPECT_FALSE(fs::exists(file(2, 0)));
}

TEST_F(JobTest, saves_no_generation_twice) {
  experiment_.checkpoint.every = "2";
  begin_halves_with({{.save_at = 2, .hold_from = 2}});
  std::map<MessageKind, int> n_told;  // in any order: files are written by a thread of its own
  while (n_told[MessageKind::kSaved] < 1 || n_told[MessageKind::kPaused] < 1) {
    ++n_told[next().kind];
  }
  set({});
  EXPECT_THAT(saved_generations(), ElementsAre(3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, is_sent_on_from_hold_to_hold_to_the_same_end) {
  const auto expected = undisturbed();
  begin_halves_with({{.save_at = comm::Directive::kNever, .hold_from = 1}});
  EXPECT_EQ(next_of<comm::Paused>(MessageKind::kPaused).generation, 1U);
  set({.save_at = comm::Directive::kNever, .hold_from = 2});
  EXPECT_EQ(next_of<comm::Paused>(MessageKind::kPaused).generation, 2U);
  set({.save_at = comm::Directive::kNever, .hold_from = 3});
  EXPECT_EQ(next_of<comm::Paused>(MessageKind::kPaused).generation, 3U);
  set({});
  EXPECT_EQ(fingerprint(), expected.first);
  EXPECT_EQ(fingerprint(2), expected.second);
  EXPECT_EQ(stop(0), 0);
}

// Rank 1 keeps the first cell and is the buddy of the second one.
TEST_F(JobTest, goes_on_from_the_copies_that_it_keeps) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  for (const Generation from : {1U, 2U}) {
    begin_halves_with({{.save_at = comm::Directive::kNever, .hold_from = 2}});
    wait_until_held(1, {1, {1}, 2});
    wait_until_held(2, {1, {0}, 2});  // so it has its own one too
    assign({2, from, {1, 1}, {1, 1}, {2}}, {1});
    EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
    EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, from + 1);
    EXPECT_EQ(fingerprints(), expected) << "from generation " << from;
    EXPECT_EQ(stop(0), 0);
  }
}

}  // namespace
}  // namespace lipizz::worker
