#include "worker/worker.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include "checkpoint/run_checkpoints.hpp"
#include "comm/thread_world.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "fake_island.hpp"

namespace lipizz::worker {
namespace {

using comm::MessageKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

// A worker on rank 1 with the cells of a 1x2 grid; the test plays the master on rank 0.
class WorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    experiment_.seed = 1;
    experiment_.generations = 3;
    experiment_.grid = {1, 2};
    experiment_.data.dataset = "ring8";
    experiment_.data.max_samples = 200;
    experiment_.model = "mlp-2d";
    experiment_.engine = "reference";
  }

  // From the end of generation `from`. Again after stop(): in another world.
  void start(Generation from = 0) {
    verdict_ = {
        true, 0, config::to_json(experiment_), "baseline", folder_.string(), from, {"m", "a", "a"},
        {}};
    verdict_.rank_of_cell.assign(2, is_spare_ ? 2 : 1);
    world_.emplace(3);
    master_.emplace(world_->communicator(0), clock_);
    rank1_ = std::jthread([this] { play(1, exit_code_); });
    rank2_ = std::jthread([this] { play(2, other_exit_code_); });
    master_->form_groups({verdict_.active(), std::nullopt});
    master_->start({[this](comm::Message message) { note(std::move(message)); },
                    [](const comm::PublicationHeader&, const Bytes&) {},
                    [](const std::exception_ptr&) {}});
  }

  void play(int rank, int& exit_code) {
    comm::CommManager comm(world_->communicator(rank), clock_);
    comm.form_groups({verdict_.active(), std::nullopt});
    Worker worker(comm, verdict_, data_dir_, clock_);
    exit_code = worker.run();
  }

  void tell(MessageKind kind, Bytes payload = {}) {
    master_->send(Rank{1}, kind, std::move(payload));
  }
  void set(comm::Course course) { tell(MessageKind::kCourse, course.encode()); }

  void note(comm::Message message) {
    const std::scoped_lock lock(mutex_);
    if (message.source == Rank{1}) inbox_.push_back(std::move(message));
    arrived_.notify_all();
  }

  comm::Message next() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return !inbox_.empty(); });
    comm::Message message = std::move(inbox_.front());
    inbox_.pop_front();
    return message;
  }

  // The next message of that kind; others before it are let go.
  comm::Message next(MessageKind kind) {
    comm::Message message = next();
    while (message.kind != kind) message = next();
    return message;
  }

  template <class Payload>
  Payload next_of(MessageKind kind) {
    return Payload::decode(next(kind).payload);
  }

  // The generations of whose cells it tells that they are saved, up to that of the last one.
  std::vector<Generation> saved_generations() {
    std::vector<Generation> all;
    while (all.empty() || all.back() != experiment_.generations) {
      for (std::uint32_t cell = 0; cell < 2; ++cell) {
        const auto saved = next_of<comm::Saved>(MessageKind::kSaved);
        EXPECT_EQ(saved.cell, CellId{cell});
        EXPECT_EQ(saved.error, "");
        if (cell == 0) all.push_back(saved.generation);
        EXPECT_EQ(saved.generation, all.back());
        EXPECT_TRUE(fs::exists(file(saved.generation, cell)));
      }
    }
    return all;
  }

  fs::path file(Generation generation, std::uint32_t cell) const {
    return checkpoint::RunCheckpoints(folder_, 2).file(generation, {cell});
  }

  // What both cells have become.
  std::pair<std::uint64_t, std::uint64_t> fingerprints() {
    const auto first = next_of<comm::CellResult>(MessageKind::kResult).fingerprint;
    return {first, next_of<comm::CellResult>(MessageKind::kResult).fingerprint};
  }

  comm::Status status() {
    tell(MessageKind::kPing);
    return comm::Status::decode(next(MessageKind::kStatus).payload);
  }

  // Ends both workers; returns the exit code of rank 1.
  int stop(int exit_code) {
    for (const Rank rank : {Rank{1}, Rank{2}}) {
      master_->send(rank, MessageKind::kStop, comm::Stop{exit_code, false}.encode());
    }
    rank1_.join();
    rank2_.join();
    master_->stop(5);
    inbox_.clear();
    EXPECT_EQ(other_exit_code_, exit_code);
    return exit_code_;
  }

  void TearDown() override { fs::remove_all(folder_); }

  const SystemClock clock_;
  fs::path folder_ = fs::path(testing::TempDir()) / "lipizz_worker_test";
  config::Experiment experiment_;
  bool is_spare_ = false;
  std::string data_dir_;
  std::optional<comm::ThreadWorld> world_;
  std::optional<comm::CommManager> master_;
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
  start();
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
  experiment_.seed = coev::fake::kSeedOfEndlessTraining;
  start();
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
  experiment_.seed = coev::fake::kSeedOfFailure;
  start();
  tell(MessageKind::kStart);
  const auto failure = comm::Failure::decode(next(MessageKind::kFailure).payload);
  EXPECT_EQ(failure.exit_code, 4);
  EXPECT_EQ(failure.message, "the samples are gone");
  EXPECT_EQ(stop(4), 4);
}

TEST_F(WorkerTest, data_that_cannot_be_opened_are_such_an_error) {
  experiment_.data.dataset = "mnist";
  experiment_.data.dir = "/of-the-master";
  data_dir_ = "/of-this-node";
  start();
  tell(MessageKind::kStart);
  const auto failure = next_of<comm::Failure>(MessageKind::kFailure);
  EXPECT_EQ(failure.exit_code, 4);
  EXPECT_THAT(failure.message, HasSubstr("/of-this-node"));
  EXPECT_EQ(stop(4), 4);
}

TEST_F(WorkerTest, saves_every_so_many_generations_and_at_the_end) {
  experiment_.checkpoint.every = "2";
  start();
  tell(MessageKind::kStart);
  EXPECT_THAT(saved_generations(), ElementsAre(2, 3));
  EXPECT_FALSE(fs::exists(file(1, 0)));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, saves_where_the_master_says) {
  start();
  set({.save_at = 2, .hold_from = comm::Course::kNever});
  tell(MessageKind::kStart);
  EXPECT_THAT(saved_generations(), ElementsAre(2, 3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, saves_the_end_alone_when_saving_is_off) {
  experiment_.checkpoint.every = "off";
  start();
  tell(MessageKind::kStart);
  EXPECT_THAT(saved_generations(), ElementsAre(3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, tells_what_it_cannot_save_and_trains_on) {
  std::ofstream(folder_ / "checkpoints") << "in the way";
  start();
  tell(MessageKind::kStart);
  for (std::uint32_t cell = 0; cell < 2; ++cell) {
    const auto saved = next_of<comm::Saved>(MessageKind::kSaved);
    EXPECT_EQ(saved.cell, CellId{cell});
    EXPECT_EQ(saved.generation, 3U);
    EXPECT_THAT(saved.error, HasSubstr("generation-000003"));
  }
  tell(MessageKind::kTask, comm::Task{comm::TaskKind::kFinalFiles, {1}, 3, Rank{1}}.encode());
  EXPECT_EQ(next_of<comm::TaskDone>(MessageKind::kTaskDone).file, "samples/grid.png");
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, goes_on_from_its_cells_files_to_the_same_end) {
  experiment_.checkpoint.every = "1";
  start();
  tell(MessageKind::kStart);
  const auto expected = fingerprints();
  EXPECT_EQ(stop(0), 0);
  for (const Generation from : {1U, 2U, 3U}) {
    start(from);
    tell(MessageKind::kStart);
    if (from < 3) {
      EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, from + 1);
    }
    EXPECT_EQ(fingerprints(), expected) << "from generation " << from;
    EXPECT_EQ(stop(0), 0);
  }
}

TEST_F(WorkerTest, files_that_it_cannot_go_on_from_are_an_error) {
  experiment_.checkpoint.every = "1";
  start();
  tell(MessageKind::kStart);
  EXPECT_THAT(saved_generations(), ElementsAre(1, 2, 3));
  EXPECT_EQ(stop(0), 0);
  const auto refused = [&](const std::string& reason) {
    start(2);
    tell(MessageKind::kStart);
    const auto failure = next_of<comm::Failure>(MessageKind::kFailure);
    EXPECT_EQ(failure.exit_code, 6);
    EXPECT_THAT(failure.message, HasSubstr(reason));
    EXPECT_EQ(stop(6), 6);
  };
  experiment_.seed = 2;
  refused("cell 0 of this run");
  experiment_.seed = 1;
  experiment_.data.dataset = "grid25";
  refused("the same data");
  experiment_.data.dataset = "ring8";
  fs::remove(file(2, 1));
  refused("cell-0001");
}

TEST_F(WorkerTest, holds_where_it_is_told_to_and_leaves_with_everything_saved) {
  start();
  set({.save_at = comm::Course::kNever, .hold_from = 1});
  tell(MessageKind::kStart);
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 1U);
  EXPECT_EQ(status().state, comm::WorkerState::kProcessing) << "and answers meanwhile";
  EXPECT_EQ(stop(75), 75);
  for (std::uint32_t cell = 0; cell < 2; ++cell) {
    EXPECT_TRUE(fs::exists(file(1, cell)));
    EXPECT_FALSE(fs::exists(file(2, cell)));
  }
}

TEST_F(WorkerTest, saves_no_generation_twice) {
  experiment_.checkpoint.every = "2";
  start();
  set({.save_at = 2, .hold_from = 2});
  tell(MessageKind::kStart);
  std::map<MessageKind, int> n_told;  // in any order: files are written by a thread of its own
  while (n_told[MessageKind::kSaved] < 2 || n_told[MessageKind::kHolding] < 1) {
    ++n_told[next().kind];
  }
  set({});
  EXPECT_THAT(saved_generations(), ElementsAre(3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, is_sent_on_from_hold_to_hold_to_the_same_end) {
  start();
  tell(MessageKind::kStart);
  const auto expected = fingerprints();
  EXPECT_EQ(stop(0), 0);
  start();
  set({.save_at = comm::Course::kNever, .hold_from = 1});
  tell(MessageKind::kStart);
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 1U);
  set({.save_at = comm::Course::kNever, .hold_from = 2});
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 2U);
  set({.save_at = comm::Course::kNever, .hold_from = 3});
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 3U);
  set({});
  EXPECT_EQ(fingerprints(), expected);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, a_spare_stays_inactive) {
  is_spare_ = true;
  start();
  EXPECT_EQ(status().state, comm::WorkerState::kInactive);
  EXPECT_EQ(stop(0), 0);
}

}  // namespace
}  // namespace lipizz::worker
