#include "worker/worker.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <thread>

#include "comm/thread_world.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "fake_island.hpp"

namespace lipizz::worker {
namespace {

using comm::MessageKind;
namespace fs = std::filesystem;

// A worker on rank 1 with the cells of a 1x2 grid; the test plays the master on rank 0.
class WorkerTest : public testing::Test {
 protected:
  void start(std::uint64_t seed, bool is_spare = false, const std::string& dataset = "ring8") {
    config::Experiment experiment;
    experiment.seed = seed;
    experiment.generations = 3;
    experiment.grid = {1, 2};
    experiment.data.dataset = dataset;
    experiment.data.max_samples = 200;
    experiment.model = "mlp-2d";
    experiment.engine = "reference";
    verdict_ = {true, 0, config::to_json(experiment), "baseline", folder_.string(), {"m", "a", "a"},
                {}};
    verdict_.rank_of_cell.assign(2, is_spare ? 2 : 1);
    rank1_ = std::jthread([this] { play(1, exit_code_); });
    rank2_ = std::jthread([this] { play(2, other_exit_code_); });
    master_.form_groups({verdict_.active(), std::nullopt});
    master_.start({[this](comm::Message message) { note(std::move(message)); },
                   [](const comm::PublicationHeader&, const Bytes&) {},
                   [](const std::exception_ptr&) {}});
  }

  void play(int rank, int& exit_code) {
    comm::CommManager comm(world_.communicator(rank), clock_);
    comm.form_groups({verdict_.active(), std::nullopt});
    Worker worker(comm, verdict_, clock_);
    exit_code = worker.run();
  }

  void tell(MessageKind kind, Bytes payload = {}) {
    master_.send(Rank{1}, kind, std::move(payload));
  }

  void note(comm::Message message) {
    const std::scoped_lock lock(mutex_);
    if (message.source == Rank{1}) inbox_.push_back(std::move(message));
    arrived_.notify_all();
  }

  // The next message of that kind; others before it are let go.
  comm::Message next(MessageKind kind) {
    std::unique_lock lock(mutex_);
    while (true) {
      arrived_.wait(lock, [this] { return !inbox_.empty(); });
      comm::Message message = std::move(inbox_.front());
      inbox_.pop_front();
      if (message.kind == kind) return message;
    }
  }

  comm::Status status() {
    tell(MessageKind::kPing);
    return comm::Status::decode(next(MessageKind::kStatus).payload);
  }

  // Ends both workers; returns the exit code of rank 1.
  int stop(int exit_code) {
    for (const Rank rank : {Rank{1}, Rank{2}}) {
      master_.send(rank, MessageKind::kStop, comm::Stop{exit_code, false}.encode());
    }
    rank1_.join();
    rank2_.join();
    master_.stop(5);
    EXPECT_EQ(other_exit_code_, exit_code);
    return exit_code_;
  }

  void TearDown() override { fs::remove_all(folder_); }

  const SystemClock clock_;
  fs::path folder_ = fs::path(testing::TempDir()) / "lipizz_worker_test";
  comm::ThreadWorld world_{3};
  comm::CommManager master_{world_.communicator(0), clock_};
  comm::Verdict verdict_;
  int exit_code_ = -1;
  int other_exit_code_ = -1;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<comm::Message> inbox_;
  std::jthread rank1_;
  std::jthread rank2_;
};

TEST_F(WorkerTest, trains_tells_and_serves_until_told_to_stop) {
  start(1);
  EXPECT_EQ(status().state, comm::WorkerState::kInactive);
  tell(MessageKind::kStart);
  const auto opened = comm::TaskDone::decode(next(MessageKind::kTaskDone).payload);
  EXPECT_EQ(opened.kind, comm::TaskKind::kOpenData);
  EXPECT_EQ(opened.metric, "modes");
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
  EXPECT_EQ(done.file, "samples/grid.png");
  EXPECT_EQ(done.n_samples, 10'000U);
  EXPECT_TRUE(fs::exists(folder_ / done.file));
  EXPECT_EQ(status().state, comm::WorkerState::kFinished);
  EXPECT_EQ(stop(0), 0);
}

// GRID-5: the training thread is busy for as long as the test likes.
TEST_F(WorkerTest, answers_heartbeats_while_training_runs) {
  start(coev::fake::kSeedOfEndlessTraining);
  tell(MessageKind::kStart);
  static_cast<void>(next(MessageKind::kMetrics));
  comm::Status seen = status();
  while (seen.generation < 2) seen = status();
  for (int ping = 0; ping < 10; ++ping) seen = status();
  EXPECT_EQ(seen.state, comm::WorkerState::kProcessing);
  EXPECT_EQ(seen.generation, 2U);
  EXPECT_EQ(stop(75), 75) << "and a stop ends it";
}

TEST_F(WorkerTest, an_error_goes_to_the_master_who_decides) {
  start(coev::fake::kSeedOfFailure);
  tell(MessageKind::kStart);
  const auto failure = comm::Failure::decode(next(MessageKind::kFailure).payload);
  EXPECT_EQ(failure.exit_code, 4);
  EXPECT_EQ(failure.message, "the samples are gone");
  EXPECT_EQ(stop(4), 4);
}

TEST_F(WorkerTest, data_that_cannot_be_opened_are_such_an_error) {
  start(1, false, "mnist");
  tell(MessageKind::kStart);
  EXPECT_EQ(comm::Failure::decode(next(MessageKind::kFailure).payload).exit_code, 4);
  EXPECT_EQ(stop(4), 4);
}

TEST_F(WorkerTest, a_spare_stays_inactive) {
  start(1, true);
  EXPECT_EQ(status().state, comm::WorkerState::kInactive);
  EXPECT_EQ(stop(0), 0);
}

}  // namespace
}  // namespace lipizz::worker
