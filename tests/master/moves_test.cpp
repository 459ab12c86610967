// Cells that move while training goes on: the master's messages, against workers that play a
// script.
#include <gmock/gmock.h>

#include "master/loss_run.hpp"
#include "master/master_run.hpp"

namespace lipizz::master::moves_test {
namespace {

using comm::Assignment;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Generation kLast = 40;

// The second worker takes five times as long for a cell.
struct Uneven : TrainingJob {
  using TrainingJob::TrainingJob;
  double seconds(Rank rank) override { return rank == Rank{2} ? 5 : 1; }
  void start(ScriptedWorker& self) override {
    if (self.rank() == Rank{1}) assigned.push_back(self.assignment());
    TrainingJob::start(self);
  }
  std::vector<Assignment> assigned;  // to the first worker
};

class MovesTest : public MasterRun {
 protected:
  void SetUp() override {
    MasterRun::SetUp();
    experiment_.grid = {1, 3};
    experiment_.generations = kLast;
    host_on({1, 2, 2});
  }
};

TEST_F(MovesTest, all_go_on_from_the_copies_that_are_there_and_no_line_is_lost) {
  Uneven script(run_plan_, kLast);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  ASSERT_EQ(script.assigned.size(), 2U);
  const Generation start = script.assigned[1].start;
  EXPECT_GT(start, 3U);
  EXPECT_EQ(script.assigned[1], (Assignment{2, start, {1, 2, 1}, {1, 2, 2}, {}}));
  EXPECT_EQ(metrics_of(folder_), metrics_up_to(kLast));
  EXPECT_THAT(text_of(folder_ / "run.log"),
              HasSubstr("rank 2 on node2 holds the others up; cell 2 goes to rank 1, all cells "
                        "go on from generation " +
                        std::to_string(start)));
  EXPECT_THAT(text_of(folder_ / "events.jsonl"), HasSubstr("\"event\":\"moved\""));
  EXPECT_THAT(text_of(folder_ / "result.json"), HasSubstr("\"from_generation\": 0"));
}

TEST_F(MovesTest, nothing_moves_where_the_memory_is_not_there) {
  fits_ = [](const auto&) { return false; };
  Uneven script(run_plan_, kLast);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_EQ(script.assigned.size(), 1U);
  EXPECT_THAT(text_of(folder_ / "run.log"), Not(HasSubstr("the others up")));
}

// The first is asked to stop as it takes what is assigned anew; all save what they hold then.
TEST_F(MovesTest, a_request_to_stop_within_a_move_loses_nothing) {
  struct Stopped : Uneven {
    using Uneven::Uneven;
    void start(ScriptedWorker& self) override {
      if (self.assignment().incarnation == 1) return Uneven::start(self);
      if (self.rank() != Rank{1}) return;
      assigned.push_back(self.assignment());
      interruption.request->ask("signal USR1");
    }
    void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
      if (!is_to_leave(message)) return Uneven::all_pairs(self, message);
      save(self, self.assignment().start);
      flush(self);
    }
    Interruption interruption;
  };
  Stopped script(run_plan_, kLast);
  EXPECT_EQ(run(script.answer(), clock_, script.interruption), ExitCode::kResumable);
  ASSERT_EQ(script.assigned.size(), 2U);
  const Generation start = script.assigned[1].start;
  const std::string number = std::to_string(start);
  const std::string log = text_of(folder_ / "run.log");
  EXPECT_THAT(log, HasSubstr("all cells go on from generation " + number + ";"));
  EXPECT_THAT(log, HasSubstr("stopped at the end of generation " + number + " of 40: signal USR1"));
  EXPECT_EQ(metrics_of(folder_), metrics_up_to(start));
}

// As it is where handlers save and leave before training has begun anew.
TEST_F(MovesTest, what_is_saved_before_training_begins_anew_counts) {
  struct Hasty : Uneven {
    using Uneven::Uneven;
    void all_pairs(ScriptedWorker& self, const comm::Message& message) override {
      comm::Assignment& next = of_rank.at(static_cast<std::size_t>(self.rank().value));
      if (message.kind == comm::MessageKind::kAssign) {
        next = comm::Assignment::decode(message.payload);
        if (next.incarnation == 1) return Uneven::all_pairs(self, message);
        if (self.rank() == Rank{1}) interruption.request->ask("signal USR1");
      } else if (is_to_leave(message)) {
        for (const CellId cell : comm::cells_of(next.rank_of_cell, self.rank())) {
          self.tell(comm::MessageKind::kSaved, comm::Saved{next.incarnation, cell, next.start, ""});
        }
        self.tell(comm::MessageKind::kFlushed, comm::Flushed{next.incarnation});
      } else {
        Uneven::all_pairs(self, message);
      }
    }
    std::array<comm::Assignment, 4> of_rank;
    Interruption interruption;
  };
  Hasty script(run_plan_, kLast);
  EXPECT_EQ(run(script.answer(), clock_, script.interruption), ExitCode::kResumable);
  EXPECT_EQ(script.of_rank[1].incarnation, 2U);
  EXPECT_THAT(text_of(folder_ / "run.log"),
              HasSubstr("stopped at the end of generation " +
                        std::to_string(script.of_rank[1].start) + " of 40: signal USR1"));
}

// The second worker takes five times as long for a cell until cells have moved; the third is lost
// then.
struct LostAfterMove : Mortal {
  using Mortal::Mortal;
  double seconds(Rank rank) override { return rank == Rank{2} && is_slow_ ? 5 : 1; }
  void live(ScriptedWorker& self) override {
    for (Generation g = 1; g <= kLast; ++g) {
      evolve(self, g);
      keep_copies(self, g);
    }
  }
  void go_on(ScriptedWorker& self) override {
    if (self.rank() == Rank{2}) is_slow_ = false;
    if (self.assignment().incarnation > 2) return Mortal::go_on(self);
    if (self.rank() == Rank{3}) fall_silent(self);
  }
  bool is_slow_ = true;  // of the second worker's thread
};

class LossAfterMoveTest : public LossTest {
 protected:
  void SetUp() override {
    LossTest::SetUp();
    experiment_.generations = kLast;
    place({1, 2, 2, 3});
  }
};

TEST_F(LossAfterMoveTest, all_go_on_from_where_they_moved) {
  LostAfterMove script(run_plan_, kLast);
  EXPECT_EQ(lead(script), ExitCode::kDone);
  ASSERT_EQ(script.assigned[1].size(), 3U);
  const Assignment& moved = script.assigned[1][1];
  EXPECT_GT(moved.start, 3U);
  EXPECT_EQ(script.assigned[1][2].start, moved.start);
  EXPECT_EQ(metrics(), metrics_up_to(kLast));
  EXPECT_THAT(log(), HasSubstr("rank 2 on node2 holds the others up"));
  EXPECT_THAT(log(), HasSubstr("is given up"));
}

}  // namespace
}  // namespace lipizz::master::moves_test
