#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "comm/thread_world.hpp"
#include "core/error.hpp"
#include "master/master.hpp"

namespace lipizz::master {

using comm::MessageKind;
namespace fs = std::filesystem;

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A worker without networks: `answer` says what it sends for each message.
class ScriptedWorker {
 public:
  using Answer = std::function<void(ScriptedWorker&, const comm::Message&)>;

  ScriptedWorker(comm::Communicator world, const comm::Groups& groups, const Clock& clock,
                 Answer answer)
      : comm_(std::move(world), clock) {
    comm_.form_groups(groups);
    comm_.start({[this, answer](const comm::Message& message) {
                   answer(*this, message);
                   if (message.kind == MessageKind::kStop) {
                     end(comm::Stop::decode(message.payload).exit_code);
                   }
                 },
                 [](const comm::PublicationHeader&, const Bytes&) {},
                 [this](const std::exception_ptr&) { end(kCutOff); }});
  }

  template <class Payload>
  void tell(MessageKind kind, const Payload& payload) {
    comm_.send(kMaster, kind, payload.encode());
  }
  [[nodiscard]] Rank rank() const { return comm_.rank(); }

  // The exit code that the master sent, or kCutOff.
  int wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return exit_code_.has_value(); });
    return *exit_code_;
  }
  void leave() { comm_.stop(5); }

  static constexpr int kCutOff = -1;

 private:
  void end(int exit_code) {
    const std::scoped_lock lock(mutex_);
    if (!exit_code_) exit_code_ = exit_code;
    ended_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<int> exit_code_;
  comm::CommManager comm_;
};

/// Goes when it is told to.
struct ManualClock final : Clock {
  double now_s() const override { return now; }
  std::atomic<double> now = 100;
};

/// A master in a folder of the test's own, against workers that play a script.
class MasterRun : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    experiment_.grid = {1, 2};
    experiment_.generations = 2;
    experiment_.comm = {.heartbeat_s = 0.001, .late_after_s = 50, .dead_after_s = 150};
    host_on({1, 1});
  }
  void TearDown() override { fs::remove_all(folder_); }

  void host_on(std::vector<std::int32_t> rank_of_cell) {
    const auto n_ranks = static_cast<std::size_t>(std::ranges::max(rank_of_cell)) + 1;
    std::vector<std::string> hosts{"m"};
    while (hosts.size() < n_ranks) hosts.push_back("node" + std::to_string(hosts.size()));
    inventory_.resize(n_ranks);
    for (std::size_t rank = 0; rank < n_ranks; ++rank) inventory_[rank].host = hosts[rank];
    verdict_ = {true, 0, "{}\n", "baseline", folder_.string(), 0, hosts, std::move(rank_of_cell)};
  }

  // Runs the master against the script, which every worker plays; what the first worker got is left
  // in worker_exit_code_.
  ExitCode run(const ScriptedWorker::Answer& answer, const Clock& clock,
               const Interruption& interruption = {}) {
    const SystemClock system_clock;
    const auto n_ranks = static_cast<int>(inventory_.size());
    comm::ThreadWorld world(n_ranks);
    const comm::Groups groups{verdict_.active(), std::nullopt};
    std::vector<std::jthread> workers;
    for (int rank = 1; rank < n_ranks; ++rank) {
      workers.emplace_back([&, rank, communicator = world.communicator(rank)]() mutable {
        ScriptedWorker worker(std::move(communicator), groups, system_clock, answer);
        const int exit_code = worker.wait();
        if (rank == 1) worker_exit_code_ = exit_code;
        worker.leave();
      });
    }
    comm::CommManager comm(world.communicator(0), system_clock);
    comm.form_groups(groups);
    Master master(comm, verdict_, experiment_, inventory_, notes_,
                  {.out = [this](const std::string& text) { out_ += text; },
                   .errors = [this](const std::string& line) { errors_ += line + "\n"; }},
                  interruption, clock);
    try {
      return master.run();
    } catch (const comm::PeerLost&) {
      try {
        comm.abort(3);
      } catch (const CommError&) {
      }
      throw;
    }
  }

  const SystemClock clock_;
  fs::path folder_ = fs::path(testing::TempDir()) /
                     (std::string("lipizz_") +
                      testing::UnitTest::GetInstance()->current_test_info()->test_suite_name());
  config::Experiment experiment_;
  comm::Verdict verdict_;
  std::vector<comm::InventoryEntry> inventory_;
  std::vector<std::string> notes_;
  int worker_exit_code_ = -2;
  std::string out_;
  std::string errors_;
};

/// A run from the seed, or from where the verdict says, whose cells train as fast as messages go:
/// every worker plays those that it hosts, and listens to no course.
class Trainee {
 public:
  explicit Trainee(const comm::Verdict& verdict, Generation last)
      : verdict_(verdict), last_(last) {}
  virtual ~Trainee() = default;

  ScriptedWorker::Answer answer() {
    return [this](ScriptedWorker& self, const comm::Message& message) { play(self, message); };
  }

 protected:
  virtual void play(ScriptedWorker& self, const comm::Message& message) {
    switch (message.kind) {
      case MessageKind::kPing:
        return self.tell(MessageKind::kStatus, comm::Status{});
      case MessageKind::kStart:
        return start(self);
      case MessageKind::kTask:
        return self.tell(
            MessageKind::kTaskDone,
            comm::TaskDone{comm::Task::decode(message.payload).kind, "toy", 0.5, 100, "a file"});
      default:
        return;
    }
  }

  virtual void start(ScriptedWorker& self) {
    for (Generation g = verdict_.start + 1; g <= last_; ++g) evolve(self, g);
    save(self, last_);
    finish(self);
  }

  virtual double score(CellId, Generation generation) { return 1.0 / generation; }

  void evolve(ScriptedWorker& self, Generation generation) {
    for (const CellId cell : verdict_.cells_of(self.rank())) {
      self.tell(MessageKind::kMetrics,
                comm::Metrics{cell, generation, score(cell, generation), line(cell, generation)});
    }
  }
  void save(ScriptedWorker& self, Generation generation, const std::string& error = "") {
    for (const CellId cell : verdict_.cells_of(self.rank())) {
      self.tell(MessageKind::kSaved, comm::Saved{cell, generation, error});
    }
  }
  void hold(ScriptedWorker& self, Generation generation) {
    self.tell(MessageKind::kHolding, comm::Holding{generation});
  }
  void finish(ScriptedWorker& self) {
    for (const CellId cell : verdict_.cells_of(self.rank())) {
      comm::CellResult result;
      result.cell = cell;
      self.tell(MessageKind::kResult, result);
    }
  }
  static std::string line(CellId cell, Generation generation) {
    return std::to_string(generation) + "/" + std::to_string(cell.value);
  }

  const comm::Verdict& verdict_;
  const Generation last_;
};

}  // namespace lipizz::master
