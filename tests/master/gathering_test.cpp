#include "master/gathering.hpp"

#include <cmath>

#include "core/error.hpp"
#include "master/machines.hpp"
#include "report/event_reader.hpp"

namespace lipizz::master::gathering_test {
namespace {

using comm::TaskKind;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

class GatheringTest : public StandingMachineTest {
 protected:
  struct Asked {
    Rank rank;
    comm::Task task;
  };

  GatheringTest() {
    log_.console().show(
        {.kind = report::RunEvent::Kind::kBegun, .generations = 4, .torus = {1, 2}});
  }

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
  Gathering gathering_{experiment_,
                       assignments_,
                       metrics_,
                       log_,
                       clock_,
                       {{}, {}, clock_},
                       [this](Rank rank, const comm::Task& task) {
                         asked_.push_back({rank, task});
                       }};
};

TEST_F(GatheringTest, tells_which_generations_are_complete) {
  EXPECT_THAT(gathering_.add(told(0, 1)), IsEmpty());
  EXPECT_THAT(gathering_.add(told(0, 2)), IsEmpty());
  const auto is = [](Generation generation) {
    return Field(&MetricsLog::Completed::generation, generation);
  };
  EXPECT_THAT(gathering_.add(told(1, 1)), ElementsAre(is(1)));
  EXPECT_THAT(gathering_.add(told(1, 2)), ElementsAre(is(2)));
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
  EXPECT_FALSE(gathering_.has_final_files()) << "the best mixture is not written";
  gathering_.ask_for_best_mixture(true);
  gathering_.add({TaskKind::kBestMixture, "", 0, 0, "mixture-best"});
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
  EXPECT_THAT(result.scoring.best, Optional(Eq(BestGeneration{4, {1}, 6})));
  EXPECT_EQ(result.scoring.best_n_samples, experiment_.score.n_samples_training);
  EXPECT_TRUE(result.scoring.has_best_mixture);
  EXPECT_EQ(result.traffic.on(comm::Scope::kLocal), (comm::Traffic::Count{3, 301}));
}

TEST_F(GatheringTest, asks_the_best_cells_worker_for_its_mixture) {
  train(2);
  asked_.clear();
  gathering_.ask_for_best_mixture(false);
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].rank, Rank{2});
  EXPECT_EQ(asked_[0].task.kind, TaskKind::kBestMixture);
  EXPECT_EQ(asked_[0].task.cell, CellId{1});
  EXPECT_EQ(asked_[0].task.generation, 2U);
}

TEST_F(GatheringTest, asks_who_has_the_best_mixture_though_its_cell_has_moved) {
  train(2);
  EXPECT_TRUE(gathering_.keeps_best({2}));
  EXPECT_FALSE(gathering_.keeps_best({1}));
  assignments_.begin_incarnation_on({2, 1}, 2);
  asked_.clear();
  gathering_.ask_for_best_mixture(true);
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].rank, Rank{2});
  gathering_.add({TaskKind::kBestMixture, "", 0, 0, "mixture-best"});
  EXPECT_FALSE(gathering_.keeps_best({2})) << "it is written";
}

TEST_F(GatheringTest, asks_the_host_of_the_best_cell_where_its_worker_trains_no_more) {
  train(2);
  assignments_.begin_incarnation_on({1, 3}, 2);
  asked_.clear();
  gathering_.ask_for_best_mixture(true);
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].rank, Rank{3});
}

TEST_F(GatheringTest, patience_runs_out_when_nothing_becomes_better) {
  experiment_.stop.patience = 2;
  gathering_.add(told(0, 1, 5));
  gathering_.add(told(1, 1, 9));
  for (const Generation generation : {2U, 3U}) {
    for (const std::uint32_t cell : {0U, 1U}) gathering_.add(told(cell, generation, 5));
  }
  EXPECT_FALSE(gathering_.is_out_of_patience(2));
  EXPECT_TRUE(gathering_.is_out_of_patience(3));
  experiment_.stop.patience = 0;
  EXPECT_FALSE(gathering_.is_out_of_patience(3));
}

TEST_F(GatheringTest, has_all_at_the_end_that_was_assigned) {
  train(3);
  assignments_.end_at(3);
  gathering_.go_back();
  EXPECT_EQ(gathering_.last_generation(), 3U);
  for (const std::uint32_t cell : {0U, 1U}) {
    gathering_.add(result(cell, 2, 2));
    gathering_.add(Rank{static_cast<int>(cell) + 1}, report(1, 2));
  }
  EXPECT_TRUE(gathering_.has_all());
}

TEST_F(GatheringTest, what_happens_is_an_event) {
  gathering_.add(comm::TaskDone());
  gathering_.add({TaskKind::kScoring, "toy", 0.25, 10, ""});
  train(1);
  report::EventReader events(folder_ / "events.jsonl", {1, 2});
  const std::vector<report::RunEvent> all = events.read();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].kind, report::RunEvent::Kind::kTraining);
  EXPECT_EQ(all[1].kind, report::RunEvent::Kind::kScoring);
  EXPECT_EQ(all[1].metric, "toy");
  EXPECT_EQ(all[1].floor, 0.25);
  EXPECT_EQ(all[2].kind, report::RunEvent::Kind::kGeneration);
  EXPECT_EQ(all[2].generation, 1U);
  EXPECT_EQ(all[2].cell, CellId{1});
  EXPECT_EQ(all[2].score, 9);
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
}  // namespace lipizz::master::gathering_test
