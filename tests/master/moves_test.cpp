// Cells that move while training goes on: the master's messages, against workers that play a
// script.
#include <gmock/gmock.h>

#include "master/master_run.hpp"

namespace lipizz::master {
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
  std::string every_line() const {
    std::string lines;
    for (Generation g = 1; g <= kLast; ++g) {
      for (const char* cell : {"0", "1", "2"}) lines += std::to_string(g) + "/" + cell + "\n";
    }
    return lines;
  }
};

TEST_F(MovesTest, all_go_on_from_the_copies_that_are_there_and_no_line_is_lost) {
  Uneven script(run_plan_, kLast);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  ASSERT_EQ(script.assigned.size(), 2U);
  const Generation start = script.assigned[1].start;
  EXPECT_GT(start, 3U);
  EXPECT_EQ(script.assigned[1], (Assignment{2, start, {1, 2, 1}, {1, 2, 2}, {}}));
  EXPECT_EQ(metrics_of(folder_), every_line());
  EXPECT_THAT(text_of(folder_ / "run.log"),
              HasSubstr("rank 2 on node2 is slower than others; cell 2 goes to rank 1, all cells "
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
  EXPECT_THAT(text_of(folder_ / "run.log"), Not(HasSubstr("slower than others")));
}

}  // namespace
}  // namespace lipizz::master
