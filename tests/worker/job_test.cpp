#include "worker/job.hpp"

#include <atomic>

#include "support/faulty_communicator.hpp"
#include "worker_run.hpp"

namespace lipizz::worker::job_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JobTest : public WorkerTest {};

// Counts the pauses of the communication thread of rank 1, by their longest durations.
class PausesTest : public JobTest {
 protected:
  comm::Communicator watched(comm::Communicator world) override {
    if (world.rank() != 1) return world;
    return comm::make_faulty(std::move(world), {.on_wait = [this](double max_s) {
                               if (max_s == 0.010) ++n_of_10_ms_;
                               if (max_s > 0.010) ++n_longer_;
                             }});
  }

  std::atomic<int> n_of_10_ms_ = 0;
  std::atomic<int> n_longer_ = 0;
};

TEST_F(JobTest, saves_every_so_many_generations_and_at_the_end) {
  experiment_.outputs.checkpoint.every = "2";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(2, 3));
  EXPECT_FALSE(fs::exists(file(1, 0)));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, saves_wherever_the_master_has_said) {
  begin_halves_with({{.save_at = 1}, {.save_at = 2}});
  EXPECT_THAT(saved_generations(), ElementsAre(1, 2, 3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, trains_asynchronously_to_the_same_end_where_it_has_all_cells) {
  const auto synchronous = undisturbed();
  experiment_.exchange.mode = "async";
  EXPECT_EQ(undisturbed(), synchronous);
}

TEST_F(JobTest, saves_the_end_alone_when_saving_is_off) {
  experiment_.outputs.checkpoint.every = "off";
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
    EXPECT_THAT(saved.error, HasSubstr((folder_ / "checkpoints").string()));
  }
  tell(MessageKind::kTask, comm::Task{comm::TaskKind::kFinalFiles, {1}, 3, Rank{1}}.encode());
  EXPECT_EQ(next_of<comm::TaskDone>(MessageKind::kTaskDone).file, "samples/best.png");
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, a_picture_that_cannot_be_written_is_left_out_with_a_warning) {
  std::ofstream(folder_ / "samples") << "in the way";
  experiment_.outputs.checkpoint.every = "off";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(3));
  tell(MessageKind::kTask, comm::Task{comm::TaskKind::kFinalFiles, {1}, 3, Rank{1}}.encode());
  telemetry::LogLine line;
  do {  // a cell's own warnings may come after it is saved
    line = telemetry::decode_log_line(next(MessageKind::kLog).payload);
  } while (line.text == "a warning");
  EXPECT_EQ(line.level, telemetry::Level::kWarning);
  EXPECT_THAT(line.text, ::testing::AllOf(HasSubstr("a picture is left out"),
                                          HasSubstr((folder_ / "samples").string())));
  EXPECT_EQ(next_of<comm::TaskDone>(MessageKind::kTaskDone).file, "");
  EXPECT_TRUE(fs::exists(folder_ / "mixture/mixture.json"));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(JobTest, goes_on_from_its_cells_files_to_the_same_end) {
  experiment_.outputs.checkpoint.every = "1";
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
  experiment_.outputs.checkpoint.every = "1";
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

TEST_F(JobTest, saves_every_generation_where_the_master_has_said_so) {
  begin_halves_with({{.save_from = 2}});
  EXPECT_THAT(saved_generations(), ElementsAre(2, 3));
  EXPECT_EQ(stop(0), 0);
}

// It trains the second generation for as long as the test likes.
TEST_F(JobTest, saves_what_it_holds_in_the_middle_of_a_generation_when_it_is_to_leave) {
  experiment_.seed = coev::fake::kSeedOfEndlessTraining;
  experiment_.outputs.checkpoint.every = "off";
  begin();
  for (std::uint32_t cell = 0; cell < 2; ++cell) {
    EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).cell, CellId{cell});
  }
  set({.course = comm::Directive::Course::kLeave});
  for (std::uint32_t cell = 0; cell < 2; ++cell) {
    const auto saved = next_of<comm::Saved>(MessageKind::kSaved);
    EXPECT_EQ(saved.cell, CellId{cell});
    EXPECT_EQ(saved.generation, 1U);
    EXPECT_EQ(saved.error, "");
  }
  EXPECT_EQ(next_of<comm::Flushed>(MessageKind::kFlushed).incarnation, 1U);
  EXPECT_TRUE(fs::exists(file(1, 0)));
  EXPECT_TRUE(fs::exists(file(1, 1)));
  EXPECT_EQ(stop(75), 75);
}

// It trains the second generation for as long as the test likes.
TEST_F(PausesTest, looks_for_messages_less_often_while_cells_evolve) {
  experiment_.seed = coev::fake::kSeedOfEndlessTraining;
  for (const char* mode : {"sync", "async"}) {
    experiment_.exchange.mode = mode;
    begin();
    for (int cell = 0; cell < 2; ++cell) static_cast<void>(next(MessageKind::kMetrics));
    n_of_10_ms_ = n_longer_ = 0;
    if (mode == std::string_view("sync")) {
      while (n_longer_ == 0) std::this_thread::yield();
    } else {
      while (n_of_10_ms_ < 5) std::this_thread::yield();
      EXPECT_EQ(n_longer_, 0) << "copies are to be young";
    }
    set({.course = comm::Directive::Course::kLeave});
    EXPECT_EQ(stop(75), 75);
  }
}

TEST_F(JobTest, saves_no_generation_twice) {
  experiment_.seed = coev::fake::kSeedOfEndlessTraining;
  experiment_.outputs.checkpoint.every = "1";
  begin();
  for (int cell = 0; cell < 2; ++cell) static_cast<void>(next(MessageKind::kSaved));
  set({.course = comm::Directive::Course::kLeave});
  EXPECT_EQ(next(comm::Scope::kWorld).kind, MessageKind::kFlushed) << "and nothing is saved before";
  EXPECT_EQ(stop(75), 75);
}

TEST_F(JobTest, holds_nothing_that_all_cells_have_left_behind) {
  experiment_.outputs.checkpoint.every = "off";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(3));
  tell(MessageKind::kStable, comm::Stable{3}.encode());
  set({.course = comm::Directive::Course::kLeave});
  static_cast<void>(next(MessageKind::kFlushed));
  EXPECT_FALSE(fs::exists(file(2, 0)));
  EXPECT_EQ(stop(75), 75);
}

TEST_F(JobTest, having_begun_nothing_it_has_nothing_to_save) {
  start();
  set({.course = comm::Directive::Course::kLeave});
  EXPECT_EQ(next(comm::Scope::kWorld).kind, MessageKind::kFlushed);
  EXPECT_EQ(stop(75), 75);
}

// Rank 1 keeps the first cell and is the buddy of the second one.
TEST_F(JobTest, goes_on_from_the_copies_that_it_keeps) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  for (const Generation from : {1U, 2U}) {
    begin_halves_with({});
    wait_until_held(1, {1, {1}, 2});
    wait_until_held(2, {1, {0}, 2});  // so it has its own one too
    assign({2, from, {1, 1}, {1, 1}, {2}}, {1});
    EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
    EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, from + 1);
    EXPECT_EQ(fingerprints(2), expected) << "from generation " << from;
    EXPECT_EQ(stop(0), 0);
  }
}

}  // namespace
}  // namespace lipizz::worker::job_test
