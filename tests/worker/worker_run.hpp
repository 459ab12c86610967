#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include "checkpoint/run_checkpoints.hpp"
#include "comm/protocol.hpp"
#include "comm/thread_world.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "fake_island.hpp"
#include "worker/worker.hpp"

namespace lipizz::worker {

using comm::MessageKind;
namespace fs = std::filesystem;

inline constexpr std::int32_t kNobody = comm::Assignment::kNobody;

// Workers on ranks from 1 on and a 1x2 grid; the test plays the master on rank 0. Where it does not
// say otherwise, rank 1 has both cells and rank 2 is a spare.
class WorkerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    experiment_.seed = 1;
    experiment_.generations = 3;
    experiment_.grid = {1, 2};
    experiment_.data.dataset = "ring8";
    experiment_.data.max_samples = 200;
    experiment_.model.name = "mlp-2d";
    experiment_.compute.engine = "reference";
    experiment_.compute.device = "cpu";
  }

  // All that a worker does before it is assigned cells, to be resumed from the end of generation
  // `from`. Again after stop(): in another world.
  void start(Generation from = 0) {
    const std::vector<std::string> hosts(static_cast<std::size_t>(n_workers_) + 1, "a");
    run_plan_ = {};
    run_plan_.go = true;
    run_plan_.experiment = config::to_json(experiment_);
    run_plan_.numerics = "baseline";
    run_plan_.output_dir = folder_.string();
    run_plan_.start = from;
    run_plan_.hosts = hosts;
    run_plan_.devices.assign(hosts.size(), "cpu");
    run_plan_.rank_of_cell = rank_of_cell_;
    run_plan_.survives_losses = survives_losses_;
    comm::ThreadWorld world(n_workers_ + 2);
    left_.assign(hosts.size(), {});
    for (int rank = 1; rank <= n_workers_; ++rank) {
      workers_.emplace_back([this, rank, world]() mutable { run_rank(world.communicator(rank)); });
    }
    const std::jthread peer([&] { join_world(peer_, world.communicator(n_workers_ + 1)); });
    join_world(master_, world.communicator(0));
  }

  // Collective.
  void join_world(std::optional<comm::CommManager>& comm, comm::Communicator world) {
    comm.emplace(std::move(world), clock_);
    comm->form_groups({comm::active_in(rank_of_cell_), std::nullopt});
    comm->start({[this](comm::Message message) { note(std::move(message)); },
                 [](const comm::PublicationHeader&, const Bytes&) {}, [](Rank) {},
                 [](const std::exception_ptr&) {}});
  }

  void run_rank(comm::Communicator world) {
    Left& left = left_[static_cast<std::size_t>(world.rank())];
    comm::CommManager comm(watched(std::move(world)), clock_);
    comm.form_groups({comm::active_in(rank_of_cell_), std::nullopt});
    WorkerContext context(run_plan_, comm.rank(), data_dir_);
    Worker worker(comm, run_plan_, context, clock_);
    try {
      left.stop = worker.run();
    } catch (const comm::PeerLost& lost) {
      left.error = lost.what();
    }
  }

  comm::Assignment first_assignment() const {
    return {1, run_plan_.start, rank_of_cell_, {kNobody, kNobody}, {}};
  }
  void assign(const comm::Assignment& assignment, const std::vector<int>& ranks) {
    for (const int rank : ranks) tell(MessageKind::kAssign, assignment.encode(), rank);
  }
  void begin(Generation from = 0) {
    start(from);
    assign(first_assignment(), {1});
  }
  // Rank 1 has the first cell and knows these directives before it can get on, since rank 2 with
  // the second one begins after that.
  void begin_halves_with(std::initializer_list<comm::Directive> directives) {
    rank_of_cell_ = {1, 2};
    start();
    assign(first_assignment(), {1});
    for (const comm::Directive& directive : directives) set(directive);
    static_cast<void>(status());
    assign(first_assignment(), {2});
  }

  void tell(MessageKind kind, Bytes payload = {}, int rank = 1) {
    master_->send(Rank{rank}, kind, std::move(payload));
  }
  // A copy from another worker to rank 1, once that has handled what the master has told it.
  void hand_over(const comm::CellCopy& copy) {
    static_cast<void>(status());
    peer_->send(Rank{1}, MessageKind::kCopy, copy.encode());
  }
  void set(comm::Directive directive) { tell(MessageKind::kDirective, directive.encode()); }

  void note(comm::Message message) {
    const std::scoped_lock lock(mutex_);
    inbox_[{message.source.value, comm::scope_of(message.kind)}].push_back(std::move(message));
    arrived_.notify_all();
  }

  // Communicators keep no order among themselves: this is the next message of one of them.
  comm::Message next(comm::Scope scope, int rank = 1) {
    std::unique_lock lock(mutex_);
    std::deque<comm::Message>& inbox = inbox_[{rank, scope}];
    arrived_.wait(lock, [&] { return !inbox.empty(); });
    comm::Message message = std::move(inbox.front());
    inbox.pop_front();
    return message;
  }

  // The next message of that kind; others before it on its communicator are let go.
  comm::Message next(MessageKind kind, int rank = 1) {
    comm::Message message = next(comm::scope_of(kind), rank);
    while (message.kind != kind) message = next(comm::scope_of(kind), rank);
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

  // The fingerprint of a worker's next cell, in the order in which they are sent. It may have had
  // time to finish what it was assigned before this incarnation.
  std::uint64_t fingerprint(int rank = 1, std::uint32_t incarnation = 1) {
    auto result = next_of<comm::CellResult>(MessageKind::kResult, rank);
    while (result.incarnation < incarnation) {
      result = next_of<comm::CellResult>(MessageKind::kResult, rank);
    }
    return result.fingerprint;
  }
  std::pair<std::uint64_t, std::uint64_t> fingerprints(std::uint32_t incarnation = 1) {
    const std::uint64_t first = fingerprint(1, incarnation);
    return {first, fingerprint(1, incarnation)};
  }
  // The fingerprints when nothing happens.
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
    peer_->stop(0);
    inbox_.clear();
  }

  void TearDown() override { fs::remove_all(folder_); }

  // How a worker's run() ended.
  struct Left {
    std::optional<comm::Stop> stop;
    std::string error;
  };

  // The world that a worker gets.
  virtual comm::Communicator watched(comm::Communicator world) { return world; }

  const SystemClock clock_;
  fs::path folder_ =
      fs::path(::testing::TempDir()) / ("lipizz_worker_test" + std::to_string(::getpid()));
  config::Experiment experiment_;
  int n_workers_ = 2;
  std::vector<std::int32_t> rank_of_cell_{1, 1};
  bool survives_losses_ = false;
  std::string data_dir_;
  std::optional<comm::CommManager> master_;
  std::optional<comm::CommManager> peer_;  // of the last rank, which is no worker of ours
  comm::RunPlan run_plan_;
  std::vector<Left> left_;  // by rank
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::pair<int, comm::Scope>, std::deque<comm::Message>> inbox_;  // by rank
  std::vector<std::jthread> workers_;
};

}  // namespace lipizz::worker
