#include "master/gathering.hpp"

#include <cmath>

#include "core/error.hpp"
#include "master/machines.hpp"

namespace lipizz::master {
namespace {

using comm::TaskKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GatheringTest : public StandingMachineTest {
 protected:
  struct Asked {
    Rank rank;
    comm::Task task;
  };

  void train(Generation last) {
    for (Generation g = metrics_.written() + 1; g <= last; ++g) {
      gathering_.add(told(1, g, 10.0 - g));
      gathering_.add(told(0, g, 20.0));
    }
  }
  static comm::CellResult result(std::uint32_t cell, double score, std::uint32_t incarnation = 1) {
    comm::CellResult result;
    result.incarnation = incarnation;
    result.cell = {cell};
    result.score = score;
    return result;
  }
  static comm::TrafficReport report(std::uint64_t n_bytes, std::uint32_t incarnation = 1) {
    comm::TrafficReport report{.incarnation = incarnation, .traffic = {}};
    report.traffic.on(comm::Scope::kLocal) = {1, n_bytes};
    return report;
  }
  void bring_all() {
    train(4);
    gathering_.add(result(0, 3));
    gathering_.add(result(1, 2));
    gathering_.add(Rank{1}, report(100));
    gathering_.add(Rank{2}, report(200));
  }

  std::vector<Asked> asked_;
  Gathering gathering_{
      experiment_, assignments_,
      metrics_,    log_,
      clock_,      [this](Rank rank, const comm::Task& task) {
                         asked_.push_back({rank, task}); }};
};

TEST_F(GatheringTest, tells_which_generations_are_complete) {
  EXPECT_THAT(gathering_.add(told(0, 1)), IsEmpty());
  EXPECT_THAT(gathering_.add(told(0, 2)), IsEmpty());
  EXPECT_THAT(gathering_.add(told(1, 1)), ElementsAre(1));
  EXPECT_THAT(gathering_.add(told(1, 2)), ElementsAre(2));
  EXPECT_THAT(out_, HasSubstr("generation 1/4"));
}

TEST_F(GatheringTest, tells_what_scores_are_and_the_best_of_each_generation) {
  gathering_.add({TaskKind::kScoring, "toy", 0.25, 10, ""});
  EXPECT_THAT(out_, HasSubstr("scores are toy: lower is better; real samples among themselves "
                              "score 0.25"));
  train(2);
  gathering_.add(told(0, 3, std::nan("")));
  gathering_.add(told(1, 3, std::nan("")));
  EXPECT_THAT(log(), HasSubstr("generation 1 of 4: best cell (0, 1), toy 9"));
  EXPECT_THAT(log(), HasSubstr("generation 2 of 4: best cell (0, 1), toy 8"));
  EXPECT_THAT(log(), HasSubstr("generation 3 of 4: no score"));
}

TEST_F(GatheringTest, ends_a_run_whose_cells_all_diverge) {
  const auto diverged = [](std::uint32_t cell, Generation generation) {
    comm::Metrics metrics = told(cell, generation);
    metrics.has_diverged = true;
    return metrics;
  };
  for (Generation g = 1; g <= 4; ++g) {
    gathering_.add(diverged(0, g));
    if (g < 4) gathering_.add(diverged(1, g));
  }
  EXPECT_THROW(gathering_.add(diverged(1, 4)), NumericError);
}

TEST_F(GatheringTest, ends_a_run_without_a_score) {
  train(4);
  gathering_.add(result(0, std::nan("")));
  gathering_.add(result(1, std::nan("")));
  EXPECT_THROW(gathering_.ask_for_final_files(), NumericError);
}

TEST_F(GatheringTest, asks_the_host_of_the_best_for_its_picture) {
  train(1);
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].rank, Rank{2});
  EXPECT_EQ(asked_[0].task.kind, TaskKind::kImprovedSheet);
  EXPECT_EQ(asked_[0].task.cell, CellId{1});
  EXPECT_EQ(asked_[0].task.generation, 1U);
}

TEST_F(GatheringTest, everything_is_there_only_with_results_traffic_and_all_lines) {
  train(3);
  gathering_.add(result(0, 3));
  gathering_.add(Rank{1}, report(100));
  gathering_.add(Rank{2}, report(200));
  EXPECT_FALSE(gathering_.has_all());
  gathering_.add(result(1, 2));
  EXPECT_FALSE(gathering_.has_all()) << "a result has overtaken lines of metrics";
  train(4);
  EXPECT_TRUE(gathering_.has_all());
}

TEST_F(GatheringTest, a_worker_whose_traffic_is_not_told_is_waited_for) {
  train(4);
  gathering_.add(result(0, 3));
  gathering_.add(result(1, 2));
  gathering_.add(Rank{1}, report(100));
  gathering_.add(Rank{1}, report(100));
  EXPECT_FALSE(gathering_.has_all());
}

TEST_F(GatheringTest, a_result_that_nobody_expects_is_an_error) {
  gathering_.add(result(0, 3));
  EXPECT_THROW(gathering_.add(result(0, 3)), CommError);
  EXPECT_THROW(gathering_.add(result(2, 3)), CommError);
}

TEST_F(GatheringTest, asks_every_active_worker_once_for_the_final_files_of_the_best) {
  bring_all();
  asked_.clear();
  gathering_.ask_for_final_files();
  gathering_.ask_for_final_files();
  ASSERT_EQ(asked_.size(), 2U);
  EXPECT_EQ(asked_[0].rank, Rank{1});
  EXPECT_EQ(asked_[1].rank, Rank{2});
  for (const Asked& asked : asked_) {
    EXPECT_EQ(asked.task.kind, TaskKind::kFinalFiles);
    EXPECT_EQ(asked.task.cell, CellId{1});
    EXPECT_EQ(asked.task.writer_rank, Rank{2});
  }
}

TEST_F(GatheringTest, fills_the_result) {
  EXPECT_FALSE(gathering_.has_begun());
  gathering_.add(comm::TaskDone());
  EXPECT_TRUE(gathering_.has_begun());
  clock_.now += 7;
  bring_all();
  gathering_.ask_for_final_files();
  EXPECT_FALSE(gathering_.has_final_files());
  gathering_.add({TaskKind::kImprovedSheet, "", 0, 0, "samples/x.png"});
  EXPECT_FALSE(gathering_.has_final_files());
  gathering_.add({TaskKind::kFinalFiles, "toy", 0.5, 100, "samples/grid.png"});
  EXPECT_TRUE(gathering_.has_final_files());
  EXPECT_THAT(log(), HasSubstr("written: samples/x.png"));
  RunResult result;
  result.traffic.on(comm::Scope::kLocal) = {1, 1};
  gathering_.fill(result);
  ASSERT_EQ(result.cells.size(), 2U);
  EXPECT_EQ(result.cells[1].score, 2);
  EXPECT_EQ(result.scoring.metric, "toy");
  EXPECT_EQ(result.scoring.floor, 0.5);
  EXPECT_EQ(result.provenance.times.training_s, 7);
  EXPECT_EQ(result.scoring.floor_n_samples, 100U);
  EXPECT_EQ(result.traffic.on(comm::Scope::kLocal), (comm::Traffic::Count{3, 301}));
}

TEST_F(GatheringTest, after_a_loss_results_count_from_the_new_incarnation_on) {
  bring_all();
  gathering_.ask_for_final_files();
  assignments_.begin_incarnation_without(Rank{2}, 2, 4);
  gathering_.go_back();
  asked_.clear();
  gathering_.add(result(0, 7));
  gathering_.add(Rank{1}, report(1));
  EXPECT_FALSE(gathering_.has_all());
  EXPECT_NO_THROW(gathering_.add(result(0, 3, 2))) << "the first one that counts";
  gathering_.add(result(1, 2, 2));
  gathering_.add(Rank{1}, report(1, 2));
  gathering_.add(Rank{3}, report(2, 2));
  EXPECT_TRUE(gathering_.has_all());
  gathering_.ask_for_final_files();
  ASSERT_EQ(asked_.size(), 2U) << "again, of those who are active now";
  EXPECT_EQ(asked_[1].rank, Rank{3});
}

}  // namespace
}  // namespace lipizz::master
