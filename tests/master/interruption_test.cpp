#include "master/interruption.hpp"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "checkpoint/run_checkpoints.hpp"
#include "core/error.hpp"
#include "master/master_run.hpp"

namespace lipizz::master {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using InterruptionTest = MasterRun;

// Trains the first generation at once, and then as far as a course to hold says; the second worker
// one further, as if the course had come late.
class Holder : public TrainingJob {
 public:
  using TrainingJob::TrainingJob;

 protected:
  void start(ScriptedWorker& self) override {
    evolve(self, 1);
    reached_[self.rank().value] = 1;
  }
  void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
    if (message.kind != MessageKind::kDirective) return TrainingJob::all_pairs(self, message);
    const Generation from = comm::Directive::decode(message.payload).hold_from;
    if (from == comm::Directive::kNever) return;
    Generation& reached = reached_[self.rank().value];
    const bool is_late = self.rank() == Rank{2} && std::exchange(is_first_directive_, false);
    while (reached < from + (is_late ? 1 : 0)) evolve(self, ++reached);
    stand(self, reached);
  }
  virtual void stand(ScriptedWorker& self, Generation generation) {
    save(self, generation);
    hold(self, generation);
  }

 private:
  std::array<Generation, 3> reached_{};  // by rank; each has a thread of its own
  bool is_first_directive_ = true;       // the second worker's
};

const Interruption kAtOnce{.requested = [] { return std::string("signal USR1"); }};

TEST_F(InterruptionTest, a_request_to_stop_ends_with_every_cell_saved_at_one_generation) {
  experiment_.generations = 10;
  host_on({1, 2});
  Holder script(run_plan_, 10);
  EXPECT_EQ(run(script.answer(), clock_, kAtOnce), ExitCode::kResumable);
  EXPECT_EQ(worker_exit_code_, 75);
  EXPECT_THAT(out_, ContainsRegex("stopped at the end of generation [23] of 10: signal USR1"));
  EXPECT_THAT(out_, HasSubstr("lipizz --resume " + folder_.string()));
  const std::string log = text_of(folder_ / "run.log");
  EXPECT_THAT(log, HasSubstr("signal USR1: all cells are brought"));
  EXPECT_THAT(log, ContainsRegex("generation [23] is saved"));
  EXPECT_THAT(text_of(folder_ / "metrics.jsonl"), testing::StartsWith("1/0\n1/1\n2/0\n2/1\n"));
  EXPECT_FALSE(fs::exists(folder_ / "result.json"));
}

// Waits at its first course until the master has asked again.
class AskedAgain final : public Holder {
 public:
  AskedAgain(const comm::RunPlan& run_plan, Generation generations, const std::atomic<int>& n_asked)
      : Holder(run_plan, generations), n_asked_(n_asked) {}

 protected:
  void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
    const int before = n_asked_;
    while (message.kind == MessageKind::kDirective && n_asked_ < before + 2)
      std::this_thread::yield();
    Holder::all_pairs(self, message);
  }

 private:
  const std::atomic<int>& n_asked_;
};

TEST_F(InterruptionTest, who_asks_for_it_is_heard_while_the_run_is_stopping) {
  experiment_.generations = 10;
  std::atomic<int> n_asked = 0;
  const Interruption counted{.requested = [&] {
    ++n_asked;
    return std::string("signal INT");
  }};
  host_on({1, 2});
  AskedAgain script(run_plan_, 10, n_asked);
  EXPECT_EQ(run(script.answer(), clock_, counted), ExitCode::kResumable);
  EXPECT_GE(n_asked, 3);
}

TEST_F(InterruptionTest, a_time_limit_that_is_near_does_the_same) {
  experiment_.generations = 10;
  const ManualClock clock;
  Interruption interruption;
  interruption.until_s = clock.now + 5;
  Holder script(run_plan_, 10);
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

TEST_F(InterruptionTest, leaves_time_for_two_of_the_longest_generations) {
  struct Slow : Holder {
    using Holder::Holder;
    void start(ScriptedWorker& self) override {
      clock.now = clock.now + 10;
      Holder::start(self);
    }
    ManualClock clock;
  };
  experiment_.generations = 10;
  Slow script(run_plan_, 10);
  Interruption interruption;
  interruption.until_s = script.clock.now + 10 + 2 * 10 + 5;
  EXPECT_EQ(run(script.answer(), script.clock, interruption), ExitCode::kResumable);
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
  struct FullDisk : Holder {
    using Holder::Holder;
    void stand(ScriptedWorker& self, Generation generation) override {
      save(self, generation, "the disk is full");
      hold(self, generation);
    }
  };
  experiment_.generations = 10;
  FullDisk script(run_plan_, 10);
  EXPECT_THROW(run(script.answer(), clock_, kAtOnce), CheckpointError);
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

TEST_F(InterruptionTest, tells_workers_where_to_save_when_it_is_time) {
  struct Saver : TrainingJob {
    using TrainingJob::TrainingJob;
    void start(ScriptedWorker&) override { clock.now = clock.now + 7; }
    void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
      if (message.kind != MessageKind::kDirective) return TrainingJob::all_pairs(self, message);
      directive = comm::Directive::decode(message.payload);
      TrainingJob::start(self);
    }
    ManualClock clock;
    comm::Directive directive;
  };
  experiment_.generations = 10;
  experiment_.checkpoint.every = "7s";
  Saver script(run_plan_, 10);
  EXPECT_EQ(run(script.answer(), script.clock), ExitCode::kDone);
  EXPECT_EQ(script.directive, (comm::Directive{2, comm::Directive::kNever}));
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
  std::ofstream(folder_ / "metrics.jsonl") << "1/0\n1/1\n2/0\n2/1\n3/0\nhalf";
  std::ofstream(folder_ / "result.json") << "of another life";
  experiment_.generations = 4;
  run_plan_.start = 2;
  notes_ = {"resumed at the end of generation 2 of 4"};
  struct Looker : TrainingJob {
    using TrainingJob::TrainingJob;
    void start(ScriptedWorker& self) override {
      had_result = fs::exists(fs::path(run_plan_.output_dir) / "result.json");
      TrainingJob::start(self);
    }
    bool had_result = true;
  };
  Looker script(run_plan_, 4);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_EQ(text_of(folder_ / "metrics.jsonl"), "1/0\n1/1\n2/0\n2/1\n3/0\n3/1\n4/0\n4/1\n");
  EXPECT_FALSE(script.had_result) << "a result of fewer generations is no result any more";
  EXPECT_EQ(nlohmann::json::parse(text_of(folder_ / "result.json"))["generations"], 4);
  EXPECT_THAT(out_, HasSubstr(notes_[0]));
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr(notes_[0]));
}

TEST_F(InterruptionTest, a_run_that_lacks_its_last_files_alone_gets_them) {
  std::ofstream(folder_ / "metrics.jsonl") << "1/0\n1/1\n2/0\n2/1\n";
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
}  // namespace lipizz::master
