#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <optional>

#include "master/loss_run.hpp"

// Workers that are given up while a master leads a run, and come back: GRID-3.

namespace lipizz::master::returns_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

// The lost one speaks again, and the run goes on only when it was answered.
class Sleeper : public Mortal {
 public:
  Sleeper(const comm::RunPlan& run_plan, std::function<void(ScriptedWorker&)> speak)
      : Mortal(run_plan), speak_(std::move(speak)) {}

 protected:
  void live(ScriptedWorker& self) override {
    if (self.rank() == Rank{2}) sleeper_ = &self;
    Mortal::live(self);
  }
  void go_on(ScriptedWorker& self) override {
    if (self.rank() != Rank{1}) return Mortal::go_on(self);
    is_waiting_ = true;
    speak_(*sleeper_);
  }
  void hear(ScriptedWorker&, const comm::Message& message) override {
    const bool is_assignment = message.kind == MessageKind::kAssign;
    if (is_assignment) taken_back = Assignment::decode(message.payload);
    if (is_assignment || message.kind == MessageKind::kStop) is_told_ = true;
  }
  void respond(ScriptedWorker& self, const comm::Message& message) override {
    const bool is_due = self.rank() == Rank{1} && message.kind == MessageKind::kPing && is_told_;
    if (is_due && std::exchange(is_waiting_, false)) Mortal::go_on(self);
    Mortal::respond(self, message);
  }

  std::atomic<bool> is_told_ = false;

 public:
  std::optional<Assignment> taken_back;  // of the sleeper's thread

 private:
  std::function<void(ScriptedWorker&)> speak_;
  std::atomic<ScriptedWorker*> sleeper_ = nullptr;
  bool is_waiting_ = false;  // of the first worker's thread
};

class ReturnTest : public LossTest {};

TEST_F(ReturnTest, a_worker_that_only_slept_is_a_spare) {
  Sleeper script(run_plan_, [](ScriptedWorker& sleeper) {
    sleeper.tell(MessageKind::kMetrics, comm::Metrics{{1}, 3, 0.001, "old"});
  });
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_THAT(script.taken_back, Optional(Assignment{2, 2, {1, 1, 3}, {1, 1, 3}, {}}));
  EXPECT_THAT(stops_[2], Optional(Stop{0, Ending::kAlone}));
  EXPECT_EQ(metrics(), metrics_up_to(4));
  EXPECT_THAT(log(), HasSubstr("rank 2 on node2 answers again after it was given up; it is a "
                               "spare from now on"));
}

TEST_F(ReturnTest, also_when_it_does_no_more_than_answer) {
  Sleeper script(run_plan_, [](ScriptedWorker& sleeper) {
    sleeper.tell(MessageKind::kStatus, comm::Status{});
  });
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_THAT(script.taken_back, Optional(::testing::Field(&Assignment::incarnation, 2U)));
}

// The third is lost when the second has come back.
TEST_F(ReturnTest, cells_of_the_next_lost_go_to_who_came_back) {
  struct Returner final : Sleeper {
    explicit Returner(const comm::RunPlan& run_plan)
        : Sleeper(run_plan, [this](ScriptedWorker& sleeper) {
            roll_call.expect();
            sleeper.tell(MessageKind::kStatus, comm::Status{});
          }) {}
    void go_on(ScriptedWorker& self) override {
      if (self.assignment().incarnation == 3) return Mortal::TrainingJob::start(self);
      if (self.rank() == Rank{1}) Sleeper::go_on(self);
    }
    void hear(ScriptedWorker& self, const comm::Message& message) override {
      if (message.kind == MessageKind::kAssign) wake_up(self);
      Sleeper::hear(self, message);
    }
    void respond(ScriptedWorker& self, const comm::Message& message) override {
      const bool is_due = self.rank() == Rank{3} && message.kind == MessageKind::kPing;
      const bool is_second = self.assignment().incarnation == 2;
      if (is_due && is_second && is_told_) return fall_silent(self);
      if (is_second) return TrainingJob::all_pairs(self, message);
      Mortal::respond(self, message);
    }
  };
  Returner script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  const Assignment third{3, 2, {1, 1, 2}, {1, 1, 1}, {3}};
  EXPECT_EQ(script.assigned[1].back(), third);
  EXPECT_EQ(script.assigned[2].back(), third);
  EXPECT_EQ(metrics(), metrics_up_to(4));
}

TEST_F(ReturnTest, what_fails_there_ends_nothing) {
  Sleeper script(run_plan_, [](ScriptedWorker& sleeper) {
    sleeper.tell(MessageKind::kFailure, comm::Failure{4, "no samples"});
  });
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_THAT(stops_[2], Optional(Stop{0, Ending::kGivenUp}));
}

}  // namespace
}  // namespace lipizz::master::returns_test
