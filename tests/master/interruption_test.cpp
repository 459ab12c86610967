#include "master/interruption.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "checkpoint/run_checkpoints.hpp"
#include "core/error.hpp"
#include "master/master_run.hpp"

namespace lipizz::master::interruption_test {
namespace {

using ::testing::HasSubstr;
using InterruptionTest = MasterRun;

// Trains two generations at once, the second worker three; then it waits to be told to leave, and
// saves what it holds.
class Leaver : public TrainingJob {
 public:
  using TrainingJob::TrainingJob;

 protected:
  void start(ScriptedWorker& self) override {
    for (Generation generation = 1; generation <= last_of(self); ++generation) {
      evolve(self, generation);
    }
  }
  void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
    if (!is_to_leave(message)) return TrainingJob::all_pairs(self, message);
    save_all(self);
    flush(self);
  }
  virtual void save_all(ScriptedWorker& self) {
    for (Generation generation = 1; generation <= last_of(self); ++generation) {
      save(self, generation);
    }
  }
  static Generation last_of(const ScriptedWorker& self) { return self.rank() == Rank{2} ? 3 : 2; }
};

Interruption at_once() {
  Interruption interruption;
  interruption.request->ask("signal USR1");
  return interruption;
}

TEST_F(InterruptionTest, a_request_to_stop_ends_where_every_cell_is_saved) {
  experiment_.generations = 10;
  host_on({1, 2});
  Leaver script(run_plan_, 10);
  EXPECT_EQ(run(script.answer(), clock_, at_once()), ExitCode::kResumable);
  EXPECT_EQ(worker_exit_code_, 75);
  EXPECT_THAT(out_, HasSubstr("signal USR1: saving what is done"));
  EXPECT_THAT(out_, HasSubstr("stopped at the end of generation 2 of 10: signal USR1"));
  EXPECT_THAT(out_, HasSubstr("lipizz --resume " + folder_.string()));
  const std::string log = text_of(folder_ / "run.log");
  EXPECT_THAT(log, HasSubstr("generation 2 is saved"));
  EXPECT_EQ(metrics_of(folder_), "1/0\n1/1\n2/0\n2/1\n");
  EXPECT_FALSE(fs::exists(folder_ / "result.json"));
}

TEST_F(InterruptionTest, one_that_comes_before_anything_is_done_says_so) {
  struct Idle : Leaver {
    using Leaver::Leaver;
    void start(ScriptedWorker&) override {}
    void save_all(ScriptedWorker&) override {}
  };
  Idle script(run_plan_, 10);
  EXPECT_EQ(run(script.answer(), clock_, at_once()), ExitCode::kResumable);
  EXPECT_THAT(out_, HasSubstr("stopped before the end of the first generation: signal USR1"));
}

TEST_F(InterruptionTest, a_folder_that_is_lost_ends_it_with_every_cell_saved) {
  experiment_.generations = 10;
  struct Remover : Leaver {
    using Leaver::Leaver;
    void start(ScriptedWorker& self) override {
      Leaver::start(self);
      fs::remove(fs::path(run_plan_.output_dir) / "config.json");
    }
  };
  Remover script(run_plan_, 10);
  try {
    run(script.answer(), clock_);
    FAIL();
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), HasSubstr("was emptied while the run went on; "));
  }
  EXPECT_EQ(worker_exit_code_, 6);
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr("generation 2 is saved"));
  EXPECT_TRUE(fs::exists(folder_ / "config.json"));
}

// The heartbeat is too slow to ever look: whoever asks wakes the master.
TEST_F(InterruptionTest, a_request_is_heard_at_once) {
  struct Asker : Leaver {
    Asker(const comm::RunPlan& run_plan, std::shared_ptr<StopRequest> stop_request)
        : Leaver(run_plan, 10), request(std::move(stop_request)) {}
    void start(ScriptedWorker& self) override {
      Leaver::start(self);
      request->ask("signal INT");
    }
    std::shared_ptr<StopRequest> request;
  };
  experiment_.generations = 10;
  experiment_.comm = {.heartbeat_s = 1e6, .late_after_s = 2e6, .dead_after_s = 3e6};
  Interruption interruption;
  Asker script(run_plan_, interruption.request);
  EXPECT_EQ(run(script.answer(), clock_, interruption), ExitCode::kResumable);
}

TEST_F(InterruptionTest, a_time_limit_that_is_near_does_the_same) {
  experiment_.generations = 10;
  const ManualClock clock;
  Interruption interruption;
  interruption.until_s = clock.now + 5;
  Leaver script(run_plan_, 10);
  EXPECT_EQ(run(script.answer(), clock, interruption), ExitCode::kResumable);
  EXPECT_EQ(worker_exit_code_, 75);
  EXPECT_THAT(out_, HasSubstr("of 10: the time limit"));
}

TEST_F(InterruptionTest, a_time_limit_that_is_far_changes_nothing) {
  const ManualClock clock;
  Interruption interruption;
  interruption.until_s = clock.now + 5.1;
  TrainingJob script(run_plan_, 2);
  EXPECT_EQ(run(script.answer(), clock, interruption), ExitCode::kDone);
}

TEST_F(InterruptionTest, a_cell_that_cannot_be_saved_is_a_warning_while_training) {
  struct FullDisk : TrainingJob {
    using TrainingJob::TrainingJob;
    void start(ScriptedWorker& self) override {
      evolve(self, 1);
      save(self, 1, "cannot write generation-000001: the disk is full");
      evolve(self, 2);
      save(self, 2, "cannot write generation-000002: the disk is full");
      finish(self);
    }
  };
  FullDisk script(run_plan_, 2);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_EQ(worker_exit_code_, 0);
  EXPECT_EQ(errors_, "lipizz: warning: cannot write generation-000001: the disk is full\n")
      << "once";
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr("generation-000002"));
}

TEST_F(InterruptionTest, and_an_error_when_the_run_is_to_be_left) {
  struct FullDisk : Leaver {
    using Leaver::Leaver;
    void save_all(ScriptedWorker& self) override { save(self, 2, "the disk is full"); }
  };
  experiment_.generations = 10;
  FullDisk script(run_plan_, 10);
  EXPECT_THROW(run(script.answer(), clock_, at_once()), CheckpointError);
  EXPECT_EQ(worker_exit_code_, 6);
}

TEST_F(InterruptionTest, the_end_waits_until_every_cell_is_saved) {
  struct SlowDisk : TrainingJob {
    using TrainingJob::TrainingJob;
    void start(ScriptedWorker& self) override {
      evolve(self, 1);
      finish(self);
      n_pings = 0;
    }
    void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
      const bool is_busy = n_pings < 10;
      if (message.kind == MessageKind::kTask && is_busy &&
          comm::Task::decode(message.payload).kind == comm::TaskKind::kFinalFiles) {
        was_hurried = true;
      }
      if (message.kind == MessageKind::kPing && is_busy && ++n_pings == 10) save(self, 1);
      TrainingJob::all_pairs(self, message);
    }
    int n_pings = -1'000'000;  // since the end of training
    bool was_hurried = false;
  };
  experiment_.generations = 1;
  SlowDisk script(run_plan_, 1);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_FALSE(script.was_hurried);
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr("generation 1 is saved"));
}

TEST_F(InterruptionTest, tells_workers_what_to_save) {
  struct Saver : TrainingJob {
    using TrainingJob::TrainingJob;
    void start(ScriptedWorker&) override {}
    void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
      if (message.kind != MessageKind::kDirective) return TrainingJob::all_pairs(self, message);
      if (std::exchange(has_heard, true)) return;
      EXPECT_EQ(comm::Directive::decode(message.payload).save_from, 1U);
      TrainingJob::start(self);
    }
    bool has_heard = false;
  };
  experiment_.generations = 10;
  Saver script(run_plan_, 10);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
}

TEST_F(InterruptionTest, keeps_the_last_two_saved_generations) {
  struct Saver : TrainingJob {
    Saver(const comm::RunPlan& run_plan, Generation last)
        : TrainingJob(run_plan, last), files(run_plan.output_dir, 2) {}
    void start(ScriptedWorker& self) override {
      for (const Generation generation : {1U, 2U, 3U, 4U}) {
        evolve(self, generation);
        files.prepare(generation);
        save(self, generation, generation == 3 ? "the disk is full" : "");
      }
      finish(self);
    }
    checkpoint::RunCheckpoints files;
  };
  experiment_.generations = 4;
  Saver script(run_plan_, 4);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  const auto is_there = [&](Generation generation) {
    return fs::exists(script.files.file(generation, {0}).parent_path());
  };
  EXPECT_FALSE(is_there(1));
  EXPECT_TRUE(is_there(2)) << "3 never was complete";
  EXPECT_TRUE(is_there(4));
}

TEST_F(InterruptionTest, goes_on_with_the_folder_of_the_run_that_it_resumes) {
  write_metrics(folder_, 2, 2, "half");
  std::ofstream(folder_ / "result.json") << "of another life";
  experiment_.generations = 4;
  run_plan_.start = 2;
  notes_.lines = {"resumed at the end of generation 2 of 4"};
  TrainingJob script(run_plan_, 4);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_EQ(metrics_of(folder_), "1/0\n1/1\n2/0\n2/1\n3/0\n3/1\n4/0\n4/1\n");
  EXPECT_EQ(nlohmann::json::parse(text_of(folder_ / "result.json"))["generations"], 4);
  EXPECT_THAT(out_, HasSubstr(notes_.lines[0]));
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr(notes_.lines[0]));
}

TEST_F(InterruptionTest, a_run_that_lacks_its_last_files_alone_gets_them) {
  write_metrics(folder_, 2, 2);
  run_plan_.start = 2;
  struct Finisher : TrainingJob {
    using TrainingJob::TrainingJob;
    void start(ScriptedWorker& self) override { finish(self); }
  };
  Finisher script(run_plan_, 2);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_TRUE(fs::exists(folder_ / "result.json"));
}

}  // namespace
}  // namespace lipizz::master::interruption_test
