#include "worker/worker.hpp"

#include "worker_run.hpp"

namespace lipizz::worker::worker_test {
namespace {

using ::testing::HasSubstr;

TEST_F(WorkerTest, trains_tells_and_serves_until_told_to_stop) {
  start();
  EXPECT_EQ(status().state, comm::WorkerState::kInactive);
  assign(first_assignment(), {1});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 1U);
  const auto opened = comm::TaskDone::decode(next(MessageKind::kTaskDone).payload);
  EXPECT_EQ(opened.kind, comm::TaskKind::kOpenData);
  const auto scoring = comm::TaskDone::decode(next(MessageKind::kTaskDone).payload);
  EXPECT_EQ(scoring.kind, comm::TaskKind::kScoring);
  EXPECT_EQ(scoring.metric, "modes");
  for (Generation generation = 1; generation <= 3; ++generation) {
    for (std::uint32_t cell = 0; cell < 2; ++cell) {
      const auto metrics = comm::Metrics::decode(next(MessageKind::kMetrics).payload);
      EXPECT_EQ(metrics.generation, generation);
      EXPECT_EQ(metrics.cell, CellId{cell});
    }
  }
  for (std::uint32_t cell = 0; cell < 2; ++cell) {
    const auto result = comm::CellResult::decode(next(MessageKind::kResult).payload);
    EXPECT_EQ(result.cell, CellId{cell});
    EXPECT_EQ(result.exchange_messages, 0U);
  }
  tell(MessageKind::kTask, comm::Task{comm::TaskKind::kFinalFiles, {1}, 3, Rank{1}}.encode());
  const auto done = comm::TaskDone::decode(next(MessageKind::kTaskDone).payload);
  EXPECT_EQ(done.file, "samples/best.png");
  EXPECT_EQ(done.n_samples, 10'000U);
  EXPECT_TRUE(fs::exists(folder_ / done.file));
  EXPECT_EQ(status().state, comm::WorkerState::kFinished);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, an_error_goes_to_the_master_who_decides) {
  experiment_.seed = coev::fake::kSeedOfFailure;
  begin();
  const auto failure = comm::Failure::decode(next(MessageKind::kFailure).payload);
  EXPECT_EQ(failure.exit_code, 4);
  EXPECT_EQ(failure.message, "the samples are gone");
  EXPECT_EQ(stop(4), 4);
}

TEST_F(WorkerTest, data_that_cannot_be_opened_are_such_an_error) {
  experiment_.data.dataset = "mnist";
  experiment_.data.dir = "/of-the-master";
  data_dir_ = "/of-this-node";
  begin();
  const auto failure = next_of<comm::Failure>(MessageKind::kFailure);
  EXPECT_EQ(failure.exit_code, 4);
  EXPECT_THAT(failure.message, HasSubstr("/of-this-node"));
  EXPECT_EQ(stop(4), 4);
}

TEST_F(WorkerTest, a_spare_stays_inactive) {
  rank_of_cell_ = {2, 2};
  start();
  EXPECT_EQ(status().state, comm::WorkerState::kInactive);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, returns_how_it_is_to_leave) {
  start();
  EXPECT_EQ(stop(75, comm::Ending::kAlone), 75);
}

TEST_F(WorkerTest, returns_at_once_where_the_master_aborts_the_job) {
  start();
  for (const int rank : {1, 2}) {
    tell(MessageKind::kStop, comm::Stop{3, comm::Ending::kAborted}.encode(), rank);
  }
  join();
  EXPECT_EQ(left_[1].stop, (comm::Stop{3, comm::Ending::kAborted}));
  EXPECT_EQ(left_[1].error, "") << "the master says it";
}

}  // namespace
}  // namespace lipizz::worker::worker_test
