#include "master/master.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "master/master_run.hpp"
#include "support/small_disk.hpp"

namespace lipizz::master::master_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using MasterTest = MasterRun;

// A second goes by whenever somebody looks.
struct SteppingClock final : Clock {
  double now_s() const override { return ticks.fetch_add(1); }
  mutable std::atomic<int> ticks = 0;
};

// Trains both cells at once: cell 1 is better, and tells first.
void play_well(ScriptedWorker& self, const comm::Message& message) {
  switch (message.kind) {
    case MessageKind::kPing:
      return self.tell(MessageKind::kStatus, comm::Status{});
    case MessageKind::kAssign: {
      self.begin(message);
      self.tell(MessageKind::kTaskDone, comm::TaskDone());
      self.tell(MessageKind::kTaskDone,
                comm::TaskDone{comm::TaskKind::kScoring, "toy", 0.25, 10, "", 0xabc});
      for (Generation generation = 1; generation <= 2; ++generation) {
        for (const std::uint32_t cell : {1U, 0U}) {
          self.tell(
              MessageKind::kMetrics,
              comm::Metrics{
                  {cell}, generation, 9.0 - cell - generation, metrics_line({cell}, generation)});
        }
      }
      for (const std::uint32_t cell : {1U, 0U}) {
        comm::CellResult result;
        result.incarnation = comm::kFirstIncarnation;
        result.cell = {cell};
        result.score = 5.0 - cell;
        result.fingerprint = cell;
        self.tell(MessageKind::kResult, result);
        self.tell(MessageKind::kSaved, comm::Saved{comm::kFirstIncarnation, {cell}, 2, ""});
      }
      return TrainingJob::report_traffic(self);
    }
    case MessageKind::kTask: {
      const auto task = comm::Task::decode(message.payload);
      const std::string file =
          "asked-" + std::to_string(task.cell.value) + "-" + std::to_string(task.generation);
      return self.tell(MessageKind::kTaskDone,
                       comm::TaskDone{task.kind, "toy", 0.5, 100, file, 0xabc});
    }
    default:
      return;
  }
}

// Training goes on, and nothing is said to be finished.
TEST_F(MasterTest, ends_with_an_error_where_lines_of_metrics_still_wait_for_room) {
  const SmallDisk disk;
  if (!disk.is_mounted()) GTEST_SKIP() << "may not mount a small file system";
  std::ofstream(disk / "metrics.jsonl").flush();
  std::filesystem::create_directories(folder_);
  std::filesystem::create_symlink(disk / "metrics.jsonl", folder_ / "metrics.jsonl");
  EXPECT_THROW(run(play_well, clock_), CheckpointError);
  EXPECT_THAT(errors_, HasSubstr("its lines wait in memory"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "result.json"));
}

TEST_F(MasterTest, leads_a_run_to_its_end_and_leaves_the_folder) {
  EXPECT_EQ(run(play_well, clock_), ExitCode::kDone);
  EXPECT_EQ(worker_exit_code_, 0);
  EXPECT_EQ(text_of(folder_ / "config.json"), "{}\n");
  EXPECT_EQ(metrics_of(folder_), "1/0\n1/1\n2/0\n2/1\n");
  const auto result = nlohmann::json::parse(text_of(folder_ / "result.json"));
  EXPECT_EQ(result["best_cell"]["col"], 1);
  EXPECT_EQ(result["score"]["value"], 4.0);
  EXPECT_EQ(result["score"]["floor"], 0.5);
  EXPECT_EQ(result["score"]["metric"], "toy");
  EXPECT_EQ(result["score"]["judge"], "0000000000000abc");
  EXPECT_EQ(result["command"], nlohmann::json::parse(R"(["lipizz","--a","b"])"));
  EXPECT_EQ(result["program"]["git"], "v1");
  EXPECT_EQ(result["experiment"]["dataset"], "glyphs");
  EXPECT_EQ(result["hosts"].size(), 2U);
  const std::string log = text_of(folder_ / "run.log");
  EXPECT_THAT(log, HasSubstr("rank 1 on node1"));
  EXPECT_THAT(log, HasSubstr("scores are toy, judge 0000000000000abc"));
  EXPECT_THAT(log, HasSubstr("generation 2 of 2: best cell (0, 1), toy 6"));
  EXPECT_THAT(log, HasSubstr("cell 0: final toy 5"));
  EXPECT_THAT(log, HasSubstr("best cell (0, 1): toy 4 (lower is better; real samples among "
                             "themselves 0.5)"));
  EXPECT_THAT(log, HasSubstr("written: asked-1-1")) << "the first improvement";
  EXPECT_THAT(log, HasSubstr("written: asked-1-2")) << "the second, and the final files";
  EXPECT_THAT(out_, HasSubstr("generation 2/2"));
  EXPECT_THAT(out_, HasSubstr("samples: " + folder_.string() + "/asked-1-2"));
  EXPECT_THAT(out_, HasSubstr(folder_.string()));
  EXPECT_EQ(errors_, "");
}
// Which pictures are asked for, with these scores of the two cells by generation.
class Pictures : public TrainingJob {
 public:
  Pictures(const comm::RunPlan& run_plan, std::vector<std::array<double, 2>> scores)
      : TrainingJob(run_plan, static_cast<Generation>(scores.size())), scores_(std::move(scores)) {}

  std::vector<std::pair<Generation, std::uint32_t>> asked;

 protected:
  double score(CellId cell, Generation generation) override {
    return scores_[generation - 1][cell.value];
  }
  void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
    if (message.kind == MessageKind::kTask) {
      const auto task = comm::Task::decode(message.payload);
      if (task.kind == comm::TaskKind::kImprovedSheet) {
        asked.emplace_back(task.generation, task.cell.value);
      }
    }
    TrainingJob::all_pairs(self, message);
  }

 private:
  std::vector<std::array<double, 2>> scores_;
};

TEST_F(MasterTest, asks_for_a_picture_of_every_generation_that_is_better_than_all_before) {
  const double nan = std::nan("");
  experiment_.generations = 7;
  Pictures script(run_plan_, {{9, 8}, {8, 9}, {nan, nan}, {7, 7}, {nan, 6}, {7, 8}, {5, nan}});
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_THAT(script.asked, ::testing::ElementsAre(std::pair(1U, 1U), std::pair(4U, 0U),
                                                   std::pair(5U, 1U), std::pair(7U, 0U)));
}

TEST_F(MasterTest, in_long_runs_pictures_keep_apart_and_each_is_better_than_all_before) {
  std::vector<std::array<double, 2>> scores(101, {50, 50});  // a picture in three generations
  scores[0] = {20, 30};
  scores[1] = {10, 30};  // better, but too soon
  scores[3] = {15, 30};  // worse than what was never drawn
  scores[4] = {9, 30};
  scores[6] = {8, 30};  // too soon
  scores[7] = {7, 30};
  experiment_.generations = 101;
  Pictures script(run_plan_, scores);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_THAT(script.asked,
              ::testing::ElementsAre(std::pair(1U, 0U), std::pair(5U, 0U), std::pair(8U, 0U)));
}

TEST_F(MasterTest, an_error_of_a_worker_ends_the_run_with_its_code) {
  const auto fail = [](ScriptedWorker& self, const comm::Message& message) {
    if (message.kind == MessageKind::kAssign) {
      self.tell(MessageKind::kFailure, comm::Failure{4, "no samples"});
      self.tell(MessageKind::kFailure, comm::Failure{5, "a second one"});
    }
  };
  try {
    run(fail, clock_);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kData);
    EXPECT_STREQ(error.what(), "no samples");
  }
  EXPECT_EQ(worker_exit_code_, 4);
  EXPECT_FALSE(fs::exists(folder_ / "result.json"));
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr("no samples"));
}

// As in a run that has finished and is resumed with more generations.
TEST_F(MasterTest, the_result_of_before_stays_until_there_are_data_to_train_on) {
  const auto write = [this](const char* name) { std::ofstream(folder_ / name) << "of before"; };
  write("result.json");
  write("config.json");
  const auto fail = [](ScriptedWorker& self, const comm::Message& message) {
    if (message.kind != MessageKind::kAssign) return;
    self.tell(MessageKind::kBegun, comm::Begun{1});
    self.tell(MessageKind::kFailure, comm::Failure{4, "no data"});
  };
  EXPECT_THROW(run(fail, clock_), Error);
  EXPECT_EQ(text_of(folder_ / "result.json"), "of before");
  EXPECT_EQ(text_of(folder_ / "config.json"), "of before");

  EXPECT_EQ(run(play_well, clock_), ExitCode::kDone);
  EXPECT_EQ(text_of(folder_ / "set-aside-1/result.json"), "of before");
  EXPECT_EQ(text_of(folder_ / "config.json"), "{}\n");
  EXPECT_NE(text_of(folder_ / "result.json"), "of before");
}

TEST_F(MasterTest, so_does_an_error_of_its_own) {
  const auto block = [this](ScriptedWorker& self, const comm::Message& message) {
    if (message.kind == MessageKind::kTask) {  // nothing can be renamed to that
      fs::create_directories(folder_ / "result.json" / "x");
    }
    play_well(self, message);
  };
  EXPECT_THROW(run(block, clock_), CheckpointError);
  EXPECT_EQ(worker_exit_code_, 6);
}

TEST_F(MasterTest, and_a_message_that_makes_no_sense) {
  const auto babble = [](ScriptedWorker& self, const comm::Message& message) {
    if (message.kind != MessageKind::kAssign) return;
    self.begin(message);
    self.tell(MessageKind::kMetrics, comm::Stop{});
  };
  EXPECT_THROW(run(babble, clock_), CommError);
  EXPECT_EQ(worker_exit_code_, 3);
}

// GRID-3 where losses are not survived: reported by name, then given up.
TEST_F(MasterTest, a_silent_worker_is_late_then_dead) {
  const SteppingClock fast_clock;
  try {
    run([](ScriptedWorker&, const comm::Message&) {}, fast_clock);
    FAIL() << "went on";
  } catch (const comm::PeerLost& lost) {
    EXPECT_THAT(lost.what(), ContainsRegex("rank 1 on node1 \\(cells 0, 1\\)"));
    EXPECT_THAT(lost.what(), HasSubstr(folder_.string()));
  }
  EXPECT_THAT(worker_exit_code_, ::testing::AnyOf(3, kCutOff))
      << "told to leave, or cut off before it heard";
  const std::string log = text_of(folder_ / "run.log");
  EXPECT_THAT(
      log,
      ContainsRegex("warning rank 0: rank 1 on node1.* is late: .*; last: it has never answered"));
  EXPECT_THAT(errors_, HasSubstr("is late"));
}

}  // namespace
}  // namespace lipizz::master::master_test
