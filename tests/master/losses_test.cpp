#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <nlohmann/json.hpp>
#include <set>

#include "master/loss_run.hpp"

// Workers that are lost while a master leads a run: GRID-3.

namespace lipizz::master::losses_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;
using ::testing::SizeIs;

TEST_F(LossTest, cells_of_a_silent_worker_are_assigned_anew_and_the_run_goes_on) {
  Mortal script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  const Assignment first{1, 0, {1, 2, 3}, {kNobody, kNobody, kNobody}, {}};
  const Assignment second{2, 2, {1, 1, 3}, {1, 1, 3}, {2}};
  EXPECT_THAT(script.assigned[1], ElementsAre(first, second));
  EXPECT_THAT(script.assigned[2], ElementsAre(first));
  EXPECT_THAT(script.assigned[3], ElementsAre(first, second));
  EXPECT_EQ(metrics(), metrics_up_to(4));
  EXPECT_TRUE(fs::exists(folder_ / "result.json"));
}

TEST_F(LossTest, people_are_told_who_is_lost_and_what_becomes_of_its_cells) {
  Mortal script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  for (const std::string& told : {log(), errors_}) {
    EXPECT_THAT(told, ContainsRegex("rank 2 on node2 \\(cells 1\\) is given up after [0-9.]+ s of "
                                    "silence; cell 1 goes to rank 1, .*from generation 2\n"));
  }
  EXPECT_THAT(log(), HasSubstr("cells of a lost worker move to others"));
}

TEST_F(LossTest, nobody_waits_for_the_end_of_mpi_with_a_lost_rank) {
  Mortal script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_THAT(told_to_leave(), Each(Optional(Stop{0, Ending::kAlone})))
      << "the lost one too, which may wake up later";
}

TEST_F(LossTest, a_spare_takes_the_place_of_the_lost) {
  place({1, 2}, 1);
  Mortal script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  const Assignment second{2, 2, {1, 3}, {1, 3}, {2}};
  EXPECT_EQ(script.assigned[1].back(), second);
  EXPECT_EQ(script.assigned[3].back(), second);
  EXPECT_EQ(metrics(), metrics_up_to(4));
}

TEST_F(LossTest, the_loss_of_an_idle_spare_sets_nobody_back) {
  struct LostSpare : Mortal {
    using Mortal::Mortal;
    void live(ScriptedWorker& self) override {
      evolve(self, 1);
      keep_copies(self, 1);
      if (self.rank() == Rank{3}) fall_silent(self);
    }
    void respond(ScriptedWorker& self, const comm::Message& message) override {
      if (message.kind != MessageKind::kLost) return Mortal::respond(self, message);
      EXPECT_EQ(comm::Lost::decode(message.payload).rank, 3);
      for (const Generation generation : {2U, 3U, 4U}) evolve(self, generation);
      save(self, 4);
      finish(self);
    }
  };
  place({1, 2}, 1);
  LostSpare script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_THAT(script.assigned[1], SizeIs(1));
  EXPECT_EQ(metrics(), metrics_up_to(4));
  EXPECT_THAT(log(), ContainsRegex("rank 3 on node3 \\(a spare\\) is given up after .* was idle"));
}

TEST_F(LossTest, without_copies_all_cells_begin_again) {
  struct Careless : Mortal {
    using Mortal::Mortal;
    void live(ScriptedWorker& self) override {
      for (const Generation generation : {1U, 2U}) evolve(self, generation);
      if (self.rank() == Rank{2}) fall_silent(self);
    }
  };
  Careless script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_EQ(script.assigned[3].back(),
            (Assignment{2, 0, {1, 1, 3}, {kNobody, kNobody, kNobody}, {2}}));
  EXPECT_EQ(metrics(), metrics_up_to(4));
  EXPECT_THAT(log(), HasSubstr("all cells begin again"));
}

TEST_F(LossTest, metrics_have_no_gap_and_no_repeat_however_far_cells_go_back) {
  struct FarAhead : Mortal {
    using Mortal::Mortal;
    void live(ScriptedWorker& self) override {
      keep_copies(self, 1);
      for (Generation g = 1; g <= (self.rank() == Rank{2} ? 2U : 3U); ++g) evolve(self, g);
      if (self.rank() == Rank{2}) fall_silent(self);
    }
  };
  FarAhead script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_EQ(script.assigned[1].back().start, 1U);
  EXPECT_EQ(metrics(), metrics_up_to(4));
}

// The second worker's last copy came through, its last metrics did not.
TEST_F(LossTest, no_gap_where_a_copy_came_before_its_metrics) {
  struct Overtaken : Mortal {
    using Mortal::Mortal;
    void live(ScriptedWorker& self) override {
      for (const Generation generation : {1U, 2U}) {
        if (self.rank() != Rank{2} || generation == 1) evolve(self, generation);
        keep_copies(self, generation);
      }
      if (self.rank() == Rank{2}) fall_silent(self);
    }
  };
  Overtaken script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_EQ(metrics(), metrics_up_to(4));
}

// The first goes back from 3, which it had told and saved, and is at 2 when the third is lost.
TEST_F(LossTest, no_gap_where_files_are_newer_than_what_is_told_again) {
  struct TwoLosses : Mortal {
    using Mortal::Mortal;
    void live(ScriptedWorker& self) override {
      evolve(self, 1);
      keep_copies(self, 1);
      if (self.rank() == Rank{1}) {
        for (const Generation generation : {2U, 3U}) evolve(self, generation);
        save(self, 3);
      }
      if (self.rank() == Rank{2}) fall_silent(self);
    }
    void go_on(ScriptedWorker& self) override {
      if (self.assignment().incarnation > 2) return Mortal::go_on(self);
      if (self.rank() == Rank{1}) {  // cell 1 is quicker
        for (const Generation g : {2U, 3U}) {
          self.tell(MessageKind::kMetrics, comm::Metrics{{1}, g, 1.0 / g, metrics_line({1}, g)});
        }
        self.tell(MessageKind::kMetrics, comm::Metrics{{0}, 2, 0.5, metrics_line({0}, 2)});
        self.tell(MessageKind::kSaved, comm::Saved{self.assignment().incarnation, {1}, 3, ""});
        return;
      }
      for (const Generation generation : {2U, 3U}) evolve(self, generation);
      save(self, 3);
      fall_silent(self);
    }
  };
  TwoLosses script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_EQ(metrics(), metrics_up_to(4));
}

TEST_F(LossTest, what_is_told_of_an_old_incarnation_does_not_count) {
  struct Late : Mortal {
    using Mortal::Mortal;
    void tell_of_before(ScriptedWorker& self) override {
      tell_lies(self);
      self.tell(MessageKind::kBegun, comm::Begun{1});
      tell_lies(self);
    }
    void tell_lies(ScriptedWorker& self) {
      self.tell(MessageKind::kMetrics, comm::Metrics{self.cells().front(), 3, 0.001, "old"});
      finish(self);
      self.tell(MessageKind::kTaskDone,
                comm::TaskDone{comm::TaskKind::kFinalFiles, "old", 0, 1, "an old file"});
    }
  };
  Late script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_EQ(metrics(), metrics_up_to(4));
  EXPECT_THAT(log(), Not(HasSubstr("an old file")));
  EXPECT_THAT(text_of(folder_ / "result.json"), Not(HasSubstr("\"old\"")));
}

TEST_F(LossTest, but_log_lines_do) {
  struct Late : Mortal {
    using Mortal::Mortal;
    void tell_of_before(ScriptedWorker& self) override { self.log("a late line"); }
  };
  Late script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_THAT(log(), ContainsRegex("rank 1.* a late line"));
  EXPECT_THAT(log(), ContainsRegex("rank 3.* a late line"));
}

TEST_F(LossTest, and_so_does_a_failure) {
  struct Failing : Mortal {
    using Mortal::Mortal;
    void tell_of_before(ScriptedWorker& self) override {
      self.tell(MessageKind::kFailure, comm::Failure{4, "no samples"});
    }
  };
  Failing script(run_plan_);
  try {
    lead(script);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kData);
  }
  EXPECT_THAT(told_to_leave(), Each(Optional(Stop{4, Ending::kAlone})));
}

TEST_F(LossTest, final_files_are_asked_for_again_when_they_are_lost_with_a_worker) {
  struct Artist : Mortal {
    using Mortal::Mortal;
    void live(ScriptedWorker& self) override { TrainingJob::start(self); }
    void respond(ScriptedWorker& self, const comm::Message& message) override {
      const bool is_final = message.kind == MessageKind::kTask &&
                            comm::Task::decode(message.payload).kind == comm::TaskKind::kFinalFiles;
      if (is_final) ++n_asked.at(index(self));
      if (!is_final || self.assignment().incarnation > 1) return Mortal::respond(self, message);
      if (self.rank() == Rank{2}) fall_silent(self);
    }
    std::array<int, kMaxRanks> n_asked{};  // by rank, in its thread
  };
  Artist script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_EQ(script.assigned[1].back(),
            (Assignment{2, 4, {1, 1, 3}, {kNobody, kNobody, kNobody}, {2}}))
      << "everything is saved";
  EXPECT_THAT(script.n_asked, ElementsAre(0, 2, 1, 2));
  EXPECT_EQ(metrics(), metrics_up_to(4));
  EXPECT_TRUE(fs::exists(folder_ / "result.json"));
}

TEST_F(LossTest, heartbeats_are_no_traffic_of_the_master_afterwards_either) {
  struct Counting : Mortal {
    using Mortal::Mortal;
    void go_on(ScriptedWorker& self) override { n_pings.at(index(self)) = 0; }
    void respond(ScriptedWorker& self, const comm::Message& message) override {
      Mortal::respond(self, message);
      if (message.kind == MessageKind::kStop) n_messages += self.n_told();
      if (message.kind != MessageKind::kPing) ++n_messages;
      if (message.kind != MessageKind::kPing || ++n_pings.at(index(self)) != 50) return;
      Mortal::go_on(self);
    }
    void hear(ScriptedWorker& self, const comm::Message& message) override {
      if (message.kind == MessageKind::kStop) n_messages += self.n_told();
    }
    std::atomic<int> n_messages = 0;
    std::array<int, kMaxRanks> n_pings{{-1'000'000, -1'000'000, -1'000'000, -1'000'000}};
  };
  Counting script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  const auto result = nlohmann::json::parse(text_of(folder_ / "result.json"));
  EXPECT_LE(result["traffic"]["master"]["messages"], script.n_messages.load());
}

TEST_F(LossTest, two_at_once_are_survived) {
  struct TwoLost : Mortal {
    using Mortal::Mortal;
    void live(ScriptedWorker& self) override {
      Mortal::live(self);
      if (self.rank() == Rank{3}) fall_silent(self);
    }
  };
  TwoLost script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  ASSERT_THAT(script.assigned[1], SizeIs(3));
  EXPECT_EQ(script.assigned[1].back(), (Assignment{3, 2, {1, 1, 1}, {1, 1, 1}, {2, 3}}));
  EXPECT_EQ(metrics(), metrics_up_to(4));
  EXPECT_THAT(told_to_leave(), Each(Optional(Stop{0, Ending::kAlone})));
}

TEST_F(LossTest, the_last_worker_is_not) {
  struct AllLost : Mortal {
    using Mortal::Mortal;
    void go_on(ScriptedWorker& self) override { fall_silent(self); }
  };
  place({1, 2});
  AllLost script(run_plan_);
  try {
    lead(script);
    FAIL() << "went on";
  } catch (const comm::PeerLost& lost) {
    EXPECT_THAT(lost.what(), ContainsRegex("rank 1 on node1 \\(cells 0, 1\\) is given up"));
    EXPECT_THAT(lost.what(), HasSubstr(folder_.string()));
  }
  EXPECT_THAT(stops_[1], ::testing::AnyOf(std::nullopt, Optional(Stop{3, Ending::kAborted})));
}

TEST_F(LossTest, where_losses_are_not_survived_the_first_ends_the_run) {
  run_plan_.survives_losses = false;
  Mortal script(run_plan_);
  EXPECT_THROW(lead(script), comm::PeerLost);
  EXPECT_THAT(script.assigned[1], SizeIs(1));
  EXPECT_THAT(stops_[1], ::testing::AnyOf(std::nullopt, Optional(Stop{3, Ending::kAborted})));
  EXPECT_THAT(log(), HasSubstr("mpirun --enable-recovery"));
  EXPECT_FALSE(fs::exists(folder_ / "result.json"));
}

TEST_F(LossTest, all_are_told_once_from_where_on_copies_are_needed) {
  struct Holder : Mortal {
    using Mortal::Mortal;
    void live(ScriptedWorker& self) override {
      evolve(self, 1);
      keep_copies(self, 1);
    }
    void respond(ScriptedWorker& self, const comm::Message& message) override {
      if (message.kind != MessageKind::kStable) return Mortal::respond(self, message);
      safe.at(index(self)).push_back(comm::Stable::decode(message.payload).generation);
      for (const Generation generation : {2U, 3U, 4U}) evolve(self, generation);
      save(self, 4);
      finish(self);
    }
    std::array<std::vector<Generation>, kMaxRanks> safe;  // by rank, in its thread
  };
  place({1, 2}, 1);
  Holder script(run_plan_);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  EXPECT_THAT(script.safe, ElementsAre(IsEmpty(), ElementsAre(1), ElementsAre(1), ElementsAre(1)));
  EXPECT_THAT(told_to_leave(), Each(Optional(Stop{0, Ending::kTogether}))) << "nobody was lost";
}

// Trains three generations; saves what it holds when it is told to leave.
class Stopping : public Mortal {
 public:
  using Mortal::Mortal;
  std::shared_ptr<StopRequest> request = std::make_shared<StopRequest>();
  std::array<int, kMaxRanks> n_told{};  // by rank, in its thread

 protected:
  void go_on(ScriptedWorker& self) override {
    for (Generation g = self.assignment().start + 1; g <= 3; ++g) evolve(self, g);
    request->ask("signal USR1");
  }
  void tell_of_before(ScriptedWorker& self) override {
    self.tell(MessageKind::kFlushed, comm::Flushed{1});
  }
  void respond(ScriptedWorker& self, const comm::Message& message) override {
    if (!TrainingJob::is_to_leave(message)) return Mortal::respond(self, message);
    ++n_told.at(index(self));
    leave(self);
  }
  virtual void leave(ScriptedWorker& self) {
    save(self, 3);
    flush(self);
  }
};

TEST_F(LossTest, a_request_to_stop_is_heard_after_it) {
  Stopping script(run_plan_);
  EXPECT_EQ(lead(script, {.request = script.request}), ExitCode::kResumable);
  EXPECT_THAT(out_, HasSubstr("stopped at the end of generation 3 of 4: signal USR1"));
  EXPECT_THAT(told_to_leave(), Each(Optional(Stop{75, Ending::kAlone})));
  EXPECT_THAT(log(), HasSubstr("generation 3 is saved"));
  EXPECT_EQ(metrics(), metrics_up_to(3));
}

TEST_F(LossTest, a_run_that_is_stopping_still_stops) {
  struct LostWhileStopping : Stopping {
    using Stopping::Stopping;
    void live(ScriptedWorker& self) override {
      evolve(self, 1);
      keep_copies(self, 1);
      request->ask("signal USR1");
    }
    void leave(ScriptedWorker& self) override {
      if (self.rank() == Rank{2}) return fall_silent(self);
      Stopping::leave(self);
    }
  };
  place({1, 2});
  LostWhileStopping script(run_plan_);
  EXPECT_EQ(lead(script, {.request = script.request}), ExitCode::kResumable);
  EXPECT_THAT(out_, HasSubstr("stopped at the end of generation 3 of 4: signal USR1"));
  EXPECT_EQ(script.assigned[1].back(), (Assignment{2, 1, {1, 1}, {1, 1}, {2}}));
  EXPECT_EQ(script.n_told[1], 2) << "what it had saved before does not count";
  EXPECT_THAT(told_to_leave(), Each(Optional(Stop{75, Ending::kAlone})));
}

}  // namespace
}  // namespace lipizz::master::losses_test
