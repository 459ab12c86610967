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

constexpr std::int32_t kNobody = comm::Assignment::kNobody;

// Workers on ranks from 1 on and a 1x2 grid; the test plays the master on rank 0. Where it does not
// say otherwise, rank 1 has both cells and rank 2 is a spare.
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

  // All that a worker does before it is assigned cells, to be resumed from the end of generation
  // `from`. Again after stop(): in another world.
  void start(Generation from = 0) {
    const std::vector<std::string> hosts(static_cast<std::size_t>(n_workers_) + 1, "a");
    verdict_ = {true,
                0,
                config::to_json(experiment_),
                "baseline",
                folder_.string(),
                from,
                hosts,
                rank_of_cell_,
                survives_losses_};
    world_.emplace(n_workers_ + 1);
    master_.emplace(world_->communicator(0), clock_);
    left_.assign(hosts.size(), {});
    for (int rank = 1; rank <= n_workers_; ++rank) {
      workers_.emplace_back([this, rank] { play(rank); });
    }
    master_->form_groups({comm::active_in(rank_of_cell_), std::nullopt});
    master_->start({[this](comm::Message message) { note(std::move(message)); },
                    [](const comm::PublicationHeader&, const Bytes&) {},
                    [](const std::exception_ptr&) {}});
  }

  void play(int rank) {
    Left& left = left_[static_cast<std::size_t>(rank)];
    comm::CommManager comm(world_->communicator(rank), clock_);
    comm.form_groups({comm::active_in(rank_of_cell_), std::nullopt});
    Worker worker(comm, verdict_, data_dir_, clock_);
    try {
      left.stop = worker.run();
    } catch (const comm::PeerLost& lost) {
      left.error = lost.what();
    }
  }

  comm::Assignment first_assignment() const {
    return {1, verdict_.start, rank_of_cell_, {kNobody, kNobody}, {}};
  }
  void assign(const comm::Assignment& assignment, const std::vector<int>& ranks) {
    for (const int rank : ranks) tell(MessageKind::kAssign, assignment.encode(), rank);
  }
  void begin(Generation from = 0) {
    start(from);
    assign(first_assignment(), {1});
  }
  // Rank 1 has the first cell and knows its course before it can get on, since rank 2 with the
  // second one begins after that.
  void begin_halves_with(std::initializer_list<comm::Course> courses) {
    rank_of_cell_ = {1, 2};
    start();
    assign(first_assignment(), {1});
    for (const comm::Course& course : courses) set(course);
    static_cast<void>(status());
    assign(first_assignment(), {2});
  }

  void tell(MessageKind kind, Bytes payload = {}, int rank = 1) {
    master_->send(Rank{rank}, kind, std::move(payload));
  }
  void set(comm::Course course) { tell(MessageKind::kCourse, course.encode()); }

  void note(comm::Message message) {
    const std::scoped_lock lock(mutex_);
    inbox_[message.source.value].push_back(std::move(message));
    arrived_.notify_all();
  }

  comm::Message next(int rank = 1) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !inbox_[rank].empty(); });
    comm::Message message = std::move(inbox_[rank].front());
    inbox_[rank].pop_front();
    return message;
  }

  // The next message of that kind; others before it are let go.
  comm::Message next(MessageKind kind, int rank = 1) {
    comm::Message message = next(rank);
    while (message.kind != kind) message = next(rank);
    return message;
  }

  template <class Payload>
  Payload next_of(MessageKind kind, int rank = 1) {
    return Payload::decode(next(kind, rank).payload);
  }

  // The generations of whose cells rank 1 tells that they are saved, up to that of the last one.
  std::vector<Generation> saved_generations() {
    const auto cells = comm::cells_of(rank_of_cell_, Rank{1});
    std::vector<Generation> all;
    while (all.empty() || all.back() != experiment_.generations) {
      for (const CellId cell : cells) {
        const auto saved = next_of<comm::Saved>(MessageKind::kSaved);
        EXPECT_EQ(saved.cell, cell);
        EXPECT_EQ(saved.error, "");
        if (cell == cells.front()) all.push_back(saved.generation);
        EXPECT_EQ(saved.generation, all.back());
        EXPECT_TRUE(fs::exists(file(saved.generation, cell.value)));
      }
    }
    return all;
  }

  fs::path file(Generation generation, std::uint32_t cell) const {
    return checkpoint::RunCheckpoints(folder_, 2).file(generation, {cell});
  }

  // What the next cell of a worker has become, in which order they tell.
  std::uint64_t fingerprint(int rank = 1) {
    return next_of<comm::CellResult>(MessageKind::kResult, rank).fingerprint;
  }
  std::pair<std::uint64_t, std::uint64_t> fingerprints() {
    const std::uint64_t first = fingerprint();
    return {first, fingerprint()};
  }
  // What they become when nothing happens.
  std::pair<std::uint64_t, std::uint64_t> undisturbed() {
    begin();
    const auto both = fingerprints();
    EXPECT_EQ(stop(0), 0);
    return both;
  }

  // Until a worker has told that it keeps this copy.
  void wait_until_held(int rank, const comm::Held& held) {
    while (next_of<comm::Held>(MessageKind::kHeld, rank) != held) {
    }
  }

  comm::Status status(int rank = 1) {
    tell(MessageKind::kPing, {}, rank);
    return next_of<comm::Status>(MessageKind::kStatus, rank);
  }

  void wait_until_finished(int rank = 1) {
    while (status(rank).state != comm::WorkerState::kFinished) {
    }
  }

  // Ends all workers; returns the exit code of rank 1.
  int stop(int exit_code, comm::Ending ending = comm::Ending::kTogether) {
    const comm::Stop stop{exit_code, ending};
    for (int rank = 1; rank <= n_workers_; ++rank) {
      tell(MessageKind::kStop, stop.encode(), rank);
    }
    join();
    for (int rank = 1; rank <= n_workers_; ++rank) {
      EXPECT_EQ(left_[static_cast<std::size_t>(rank)].stop, stop) << "rank " << rank;
    }
    return left_[1].stop.value_or(comm::Stop{-1}).exit_code;
  }

  void join() {
    workers_.clear();
    master_->stop(5);
    inbox_.clear();
  }

  void TearDown() override { fs::remove_all(folder_); }

  // How a worker's run() ended.
  struct Left {
    std::optional<comm::Stop> stop;
    std::string error;
  };

  const SystemClock clock_;
  fs::path folder_ = fs::path(testing::TempDir()) / "lipizz_worker_test";
  config::Experiment experiment_;
  int n_workers_ = 2;
  std::vector<std::int32_t> rank_of_cell_{1, 1};
  bool survives_losses_ = false;
  std::string data_dir_;
  std::optional<comm::ThreadWorld> world_;
  std::optional<comm::CommManager> master_;
  comm::Verdict verdict_;
  std::vector<Left> left_;  // by rank
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<int, std::deque<comm::Message>> inbox_;  // by rank
  std::vector<std::jthread> workers_;
};

TEST_F(WorkerTest, trains_tells_and_serves_until_told_to_stop) {
  start();
  EXPECT_EQ(status().state, comm::WorkerState::kInactive);
  assign(first_assignment(), {1});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 1U);
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
  begin();
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

TEST_F(WorkerTest, saves_every_so_many_generations_and_at_the_end) {
  experiment_.checkpoint.every = "2";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(2, 3));
  EXPECT_FALSE(fs::exists(file(1, 0)));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, saves_wherever_the_master_has_said) {
  begin_halves_with({{1, comm::Course::kNever}, {2, comm::Course::kNever}});
  EXPECT_THAT(saved_generations(), ElementsAre(1, 2, 3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, trains_asynchronously_to_the_same_end_where_it_has_all_cells) {
  const auto synchronous = undisturbed();
  experiment_.exchange = "async";
  EXPECT_EQ(undisturbed(), synchronous);
}

TEST_F(WorkerTest, saves_the_end_alone_when_saving_is_off) {
  experiment_.checkpoint.every = "off";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, tells_what_it_cannot_save_and_trains_on) {
  std::ofstream(folder_ / "checkpoints") << "in the way";
  begin();
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
  begin();
  const auto expected = fingerprints();
  EXPECT_EQ(stop(0), 0);
  for (const Generation from : {1U, 2U, 3U}) {
    begin(from);
    if (from < 3) {
      EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, from + 1);
    }
    EXPECT_EQ(fingerprints(), expected) << "from generation " << from;
    EXPECT_EQ(stop(0), 0);
  }
}

TEST_F(WorkerTest, files_that_it_cannot_go_on_from_are_an_error) {
  experiment_.checkpoint.every = "1";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(1, 2, 3));
  EXPECT_EQ(stop(0), 0);
  const auto refused = [&](const std::string& reason) {
    begin(2);
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
  begin_halves_with({{.save_at = comm::Course::kNever, .hold_from = 1}});
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 1U);
  EXPECT_EQ(status().state, comm::WorkerState::kProcessing) << "and answers meanwhile";
  EXPECT_EQ(stop(75), 75);
  EXPECT_TRUE(fs::exists(file(1, 0)));
  EXPECT_FALSE(fs::exists(file(2, 0)));
}

TEST_F(WorkerTest, saves_no_generation_twice) {
  experiment_.checkpoint.every = "2";
  begin_halves_with({{.save_at = 2, .hold_from = 2}});
  std::map<MessageKind, int> n_told;  // in any order: files are written by a thread of its own
  while (n_told[MessageKind::kSaved] < 1 || n_told[MessageKind::kHolding] < 1) {
    ++n_told[next().kind];
  }
  set({});
  EXPECT_THAT(saved_generations(), ElementsAre(3));
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, is_sent_on_from_hold_to_hold_to_the_same_end) {
  const auto expected = undisturbed();
  begin_halves_with({{.save_at = comm::Course::kNever, .hold_from = 1}});
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 1U);
  set({.save_at = comm::Course::kNever, .hold_from = 2});
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 2U);
  set({.save_at = comm::Course::kNever, .hold_from = 3});
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 3U);
  set({});
  EXPECT_EQ(fingerprint(), expected.first);
  EXPECT_EQ(fingerprint(2), expected.second);
  EXPECT_EQ(stop(0), 0);
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

TEST_F(WorkerTest, cannot_go_on_where_the_master_aborts_the_job) {
  start();
  for (const int rank : {1, 2}) {
    tell(MessageKind::kStop, comm::Stop{3, comm::Ending::kAborted}.encode(), rank);
  }
  join();
  EXPECT_FALSE(left_[1].stop);
  EXPECT_EQ(left_[1].error, "") << "the master says it";
}

TEST_F(WorkerTest, another_assignment_while_it_holds_makes_it_go_back_to_the_same_end) {
  const auto expected = undisturbed();
  begin_halves_with({{.save_at = comm::Course::kNever, .hold_from = 2}});
  EXPECT_EQ(next_of<comm::Holding>(MessageKind::kHolding).generation, 2U);
  assign({2, 0, {1, 1}, {kNobody, kNobody}, {2}}, {1});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, 1U);
  EXPECT_EQ(fingerprints(), expected) << "and the course is forgotten";
  EXPECT_EQ(stop(0), 0);
}

// It waits for a neighbour that never begins.
TEST_F(WorkerTest, another_assignment_while_it_waits_for_a_publication_does_so_too) {
  const auto expected = undisturbed();
  rank_of_cell_ = {1, 2};
  begin();
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 1U);
  assign({2, 0, {1, 1}, {kNobody, kNobody}, {2}}, {1});
  EXPECT_EQ(fingerprints(), expected);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, another_assignment_ends_training_in_the_middle_of_a_generation) {
  experiment_.seed = coev::fake::kSeedOfEndlessTraining;
  begin();
  while (status().generation < 2) {
  }
  assign({2, 0, {1, 1}, {kNobody, kNobody}, {}}, {1});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, 1U);
  EXPECT_EQ(stop(75), 75);
}

TEST_F(WorkerTest, another_assignment_after_the_end_makes_it_train_again) {
  begin();
  const auto expected = fingerprints();
  wait_until_finished();
  assign({2, 0, {1, 1}, {kNobody, kNobody}, {}}, {1});
  EXPECT_EQ(fingerprints(), expected);
  wait_until_finished();
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, another_assignment_goes_on_from_files_where_there_are_no_copies) {
  const auto expected = undisturbed();
  experiment_.checkpoint.every = "1";
  begin();
  EXPECT_THAT(saved_generations(), ElementsAre(1, 2, 3));
  assign({2, 1, {1, 1}, {kNobody, kNobody}, {}}, {1});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, 2U);
  EXPECT_EQ(fingerprints(), expected);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, after_an_error_it_still_does_what_the_master_says) {
  experiment_.seed = coev::fake::kSeedOfFailure;
  begin();
  EXPECT_EQ(next_of<comm::Failure>(MessageKind::kFailure).exit_code, 4);
  assign({2, 0, {1, 2}, {kNobody, kNobody}, {}}, {1, 2});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Failure>(MessageKind::kFailure, 2).exit_code, 4);
  EXPECT_EQ(stop(4), 4);
}

// Rank 1 keeps the first cell and is the buddy of the second one.
TEST_F(WorkerTest, goes_on_from_the_copies_that_it_keeps) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  for (const Generation from : {1U, 2U}) {
    begin_halves_with({{.save_at = comm::Course::kNever, .hold_from = 2}});
    wait_until_held(1, {1, {1}, 2});
    wait_until_held(2, {1, {0}, 2});  // so it has its own one too
    assign({2, from, {1, 1}, {1, 1}, {2}}, {1});
    EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun).incarnation, 2U);
    EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics).generation, from + 1);
    EXPECT_EQ(fingerprints(), expected) << "from generation " << from;
    EXPECT_EQ(stop(0), 0);
  }
}

// Of four workers the first two have a cell each, and what follows a worker is its buddy; so rank 4
// has nothing of the first cell, and gets it from rank 3.
TEST_F(WorkerTest, a_spare_goes_on_from_copies_that_another_hands_over) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  n_workers_ = 4;
  rank_of_cell_ = {1, 2};
  start();
  assign(first_assignment(), {1, 3, 4});
  set({.save_at = comm::Course::kNever, .hold_from = 2});
  static_cast<void>(status());
  assign(first_assignment(), {2});
  wait_until_held(3, {1, {0}, 2});
  wait_until_held(4, {1, {1}, 2});
  EXPECT_EQ(status(4).state, comm::WorkerState::kInactive);
  assign({2, 2, {4, 2}, {3, 2}, {1}}, {2, 3, 4});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 4).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics, 4).generation, 3U);
  EXPECT_EQ(fingerprint(4), expected.first);
  wait_until_finished(4);
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 2).incarnation, 1U);
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 2).incarnation, 2U);
  EXPECT_EQ(fingerprint(2), expected.second);
  wait_until_held(3, {2, {0}, 2});  // a buddy of the new host has it of the new incarnation
  EXPECT_EQ(stop(0, comm::Ending::kAlone), 0);
}

TEST_F(WorkerTest, a_spare_begins_from_the_seed_where_nothing_was_finished) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  n_workers_ = 3;
  rank_of_cell_ = {1, 2};
  start();
  assign(first_assignment(), {1, 3});  // rank 2 is lost before it began
  assign({2, 0, {1, 3}, {kNobody, kNobody}, {2}}, {1, 3});
  EXPECT_EQ(fingerprint(1), expected.first);
  EXPECT_EQ(fingerprint(3), expected.second);
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, what_it_hands_out_is_held_by_its_buddies) {
  survives_losses_ = true;
  begin();
  assign(first_assignment(), {2});
  for (Generation generation = 1; generation <= 3; ++generation) {
    for (std::uint32_t cell = 0; cell < 2; ++cell) {
      EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld, 2), (comm::Held{1, {cell}, generation}));
    }
  }
  EXPECT_EQ(stop(0), 0);
}

TEST_F(WorkerTest, a_copy_of_an_incarnation_that_is_over_is_not_held) {
  start();
  const auto hand_over = [&](const comm::Held& about) {
    tell(MessageKind::kCopy, comm::CellCopy{about, Bytes(5)}.encode());
  };
  hand_over({1, {0}, 5});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld), (comm::Held{1, {0}, 5}));
  assign({2, 0, {2, 2}, {kNobody, kNobody}, {}}, {1});
  hand_over({1, {0}, 6});
  hand_over({2, {1}, 1});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld), (comm::Held{2, {1}, 1}));
  EXPECT_EQ(stop(0), 0);
}

// It is asked for what it had.
TEST_F(WorkerTest, drops_the_copies_that_nobody_will_go_back_to) {
  start();
  for (const Generation generation : {4U, 5U}) {
    tell(MessageKind::kCopy, comm::CellCopy{{1, {0}, generation}, Bytes(5)}.encode());
  }
  tell(MessageKind::kSafe, comm::Safe{5}.encode());
  assign({2, 5, {2, 2}, {1, kNobody}, {}}, {1});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld, 2), (comm::Held{2, {0}, 5}));
  assign({3, 4, {2, 2}, {1, kNobody}, {}}, {1});
  tell(MessageKind::kStop, comm::Stop{}.encode(), 2);
  join();
  EXPECT_THAT(left_[1].error, HasSubstr("rank 1 has no copy of cell 0 at generation 4"));
}

TEST_F(WorkerTest, a_copy_that_is_damaged_is_an_error) {
  survives_losses_ = true;
  start();
  tell(MessageKind::kCopy, comm::CellCopy{{1, {0}, 1}, Bytes(500)}.encode());
  assign({1, 1, {1, 1}, {2, 2}, {}}, {1});
  const auto failure = next_of<comm::Failure>(MessageKind::kFailure);
  EXPECT_EQ(failure.exit_code, 6);
  EXPECT_THAT(failure.message, HasSubstr("copy of cell 0 at 1"));
  EXPECT_EQ(stop(6), 6);
}

}  // namespace
}  // namespace lipizz::worker
