#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "checkpoint/checked_line.hpp"
#include "comm/thread_world.hpp"
#include "core/error.hpp"
#include "master/master.hpp"
#include "report/played_screen.hpp"
#include "telemetry/log_line.hpp"

namespace lipizz::master {

using comm::MessageKind;
namespace fs = std::filesystem;

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string metrics_line(CellId cell, Generation generation) {
  return "{\"generation\":" + std::to_string(generation) +
         ",\"cell\":" + std::to_string(cell.value) + "}";
}

/// The lines of a metrics.jsonl as `1/0`: generation and cell.
inline std::string metrics_of(const fs::path& folder) {
  std::ifstream file(folder / "metrics.jsonl");
  std::string all;
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    all += json["generation"].dump() + "/" + json["cell"].dump() + "\n";
  }
  return all;
}

/// The counterpart: writes these lines, and what follows them.
inline void write_metrics(const fs::path& folder, Generation generations, std::uint32_t n_cells,
                          const std::string& rest = "") {
  std::ofstream file(folder / "metrics.jsonl");
  for (Generation g = 1; g <= generations; ++g) {
    for (std::uint32_t cell = 0; cell < n_cells; ++cell) {
      file << checkpoint::checked_line(metrics_line({cell}, g)) << '\n';
    }
  }
  file << rest;
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
                     end(comm::Stop::decode(message.payload));
                   }
                 },
                 [](const comm::PublicationHeader&, const Bytes&) {}, [](Rank) {},
                 [this](const std::exception_ptr&) { end(std::nullopt); }});
  }

  template <class Payload>
  void tell(MessageKind kind, const Payload& payload) {
    if (kind != MessageKind::kStatus) ++n_told_;
    comm_.send(kMaster, kind, payload.encode());
  }
  void log(const std::string& text, telemetry::Level level = telemetry::Level::kInfo) {
    const auto now = std::chrono::system_clock::now();
    ++n_told_;
    comm_.send(kMaster, MessageKind::kLog,
               telemetry::encode({now, level, rank(), std::nullopt, text}));
  }
  [[nodiscard]] Rank rank() const { return comm_.rank(); }
  [[nodiscard]] int n_told() const { return n_told_; }  // without heartbeats

  /// Takes what the message assigns to it, and says so.
  void begin(const comm::Message& message) {
    assignment_ = comm::Assignment::decode(message.payload);
    if (!cells().empty()) tell(MessageKind::kBegun, comm::Begun{assignment_.incarnation});
  }
  [[nodiscard]] const comm::Assignment& assignment() const { return assignment_; }
  [[nodiscard]] std::vector<CellId> cells() const {
    return comm::cells_of(assignment_.rank_of_cell, rank());
  }

  // How the master told it to leave; nothing where it was cut off before it heard.
  std::optional<comm::Stop> wait() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return has_ended_; });
    return stop_;
  }
  void leave() { comm_.stop(5); }

 private:
  void end(std::optional<comm::Stop> stop) {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(has_ended_, true)) stop_ = stop;
    ended_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::optional<comm::Stop> stop_;
  comm::Assignment assignment_;
  std::atomic<int> n_told_ = 0;
  comm::CommManager comm_;
};

/// Goes when it is told to.
struct ManualClock final : Clock {
  double now_s() const override { return now; }
  std::atomic<double> now = 100;
};

/// A master in a folder of the test's own, against workers that play a script.
class MasterRun : public ::testing::Test {
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

  void host_on(std::vector<std::int32_t> rank_of_cell, std::size_t n_spares = 0) {
    const auto n_ranks = static_cast<std::size_t>(std::ranges::max(rank_of_cell)) + 1 + n_spares;
    std::vector<std::string> hosts{"m"};
    while (hosts.size() < n_ranks) hosts.push_back("node" + std::to_string(hosts.size()));
    inventory_.resize(n_ranks);
    for (std::size_t rank = 0; rank < n_ranks; ++rank) inventory_[rank].host = hosts[rank];
    run_plan_ = {};
    run_plan_.go = true;
    run_plan_.experiment = "{}\n";
    run_plan_.numerics = "baseline";
    run_plan_.output_dir = folder_.string();
    run_plan_.hosts = hosts;
    run_plan_.devices.assign(n_ranks, "cpu");
    run_plan_.rank_of_cell = std::move(rank_of_cell);
  }

  // Runs the master against the script, which every worker plays; how they were told to leave is
  // left in stops_, and what the first one got in worker_exit_code_.
  ExitCode run(const ScriptedWorker::Answer& answer, const Clock& clock,
               const Interruption& interruption = {}) {
    const SystemClock system_clock;
    const auto n_ranks = static_cast<int>(inventory_.size());
    comm::ThreadWorld world(n_ranks);
    const comm::Groups groups{comm::active_in(run_plan_.rank_of_cell), std::nullopt};
    stops_.assign(inventory_.size(), std::nullopt);
    std::vector<std::jthread> workers;
    for (int rank = 1; rank < n_ranks; ++rank) {
      workers.emplace_back([&, rank, communicator = world.communicator(rank)]() mutable {
        ScriptedWorker worker(std::move(communicator), groups, system_clock, answer);
        const auto stop = stops_[static_cast<std::size_t>(rank)] = worker.wait();
        if (rank == 1) worker_exit_code_ = stop ? stop->exit_code : kCutOff;
        worker.leave();
      });
    }
    comm::CommManager comm(world.communicator(0), system_clock);
    comm.form_groups(groups);
    Master master(comm, run_plan_, experiment_, inventory_, {{"lipizz", "--a", "b"}, "v1", notes_},
                  {.screen = screen_,
                   .errors =
                       [this](const std::string& line) {
                         errors_ += line + "\n";
                         if (on_warning_) on_warning_(line);
                       }},
                  interruption, fits_, clock);
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

  // Whole generations of all cells, one after another.
  std::string metrics_up_to(Generation last) const {
    std::string text;
    for (Generation generation = 1; generation <= last; ++generation) {
      for (std::uint32_t cell = 0; cell < run_plan_.rank_of_cell.size(); ++cell) {
        text += std::to_string(generation) + "/" + std::to_string(cell) + "\n";
      }
    }
    return text;
  }

  static constexpr int kCutOff = -1;

  const SystemClock clock_;
  fs::path folder_ = fs::path(::testing::TempDir()) /
                     (std::string("lipizz_") +
                      ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name());
  config::Experiment experiment_;
  comm::RunPlan run_plan_;
  std::vector<comm::InventoryEntry> inventory_;
  StartNotes notes_;
  Relocation::Fits fits_ = [](const auto&) { return true; };
  int worker_exit_code_ = -2;
  std::vector<std::optional<comm::Stop>> stops_;        // by rank; of none, who were cut off
  std::function<void(const std::string&)> on_warning_;  // called in the master's thread
  std::shared_ptr<report::PlayedScreen> screen_ =
      std::make_shared<report::PlayedScreen>(std::nullopt);
  std::string& out_ = screen_->written;
  std::string errors_;
};

/// A run from the seed, or from where the run plan says, whose cells train as fast as messages go:
/// every worker plays those that it is assigned, and listens to no directive.
class TrainingJob {
 public:
  explicit TrainingJob(const comm::RunPlan& run_plan, Generation last)
      : run_plan_(run_plan), last_(last) {}
  virtual ~TrainingJob() = default;

  static void report_traffic(ScriptedWorker& self) {
    if (self.cells().empty()) return;
    self.tell(MessageKind::kTraffic,
              comm::TrafficReport{.incarnation = self.assignment().incarnation, .traffic = {}});
  }

  ScriptedWorker::Answer answer() {
    return [this](ScriptedWorker& self, const comm::Message& message) { all_pairs(self, message); };
  }

 protected:
  virtual void all_pairs(ScriptedWorker& self, const comm::Message& message) {
    switch (message.kind) {
      case MessageKind::kPing:
        return self.tell(MessageKind::kStatus, comm::Status{});
      case MessageKind::kAssign:
        self.begin(message);
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
    for (Generation g = self.assignment().start + 1; g <= last_; ++g) evolve(self, g);
    save(self, last_);
    finish(self);
  }

  virtual double score(CellId, Generation generation) { return 1.0 / generation; }
  virtual double seconds(Rank) { return 0; }  // that a generation of a cell takes a worker

  void evolve(ScriptedWorker& self, Generation generation) {
    for (const CellId cell : self.cells()) {
      self.tell(MessageKind::kMetrics,
                comm::Metrics{cell, generation, score(cell, generation),
                              metrics_line(cell, generation), false, seconds(self.rank())});
    }
  }
  void save(ScriptedWorker& self, Generation generation, const std::string& error = "") {
    for (const CellId cell : self.cells()) {
      self.tell(MessageKind::kSaved,
                comm::Saved{self.assignment().incarnation, cell, generation, error});
    }
  }
  static void flush(ScriptedWorker& self) {
    self.tell(MessageKind::kFlushed, comm::Flushed{self.assignment().incarnation});
  }
  static bool is_to_leave(const comm::Message& message) {
    return message.kind == MessageKind::kDirective &&
           comm::Directive::decode(message.payload).course == comm::Directive::Course::kLeave;
  }
  void finish(ScriptedWorker& self) {
    for (const CellId cell : self.cells()) {
      comm::CellResult result;
      result.incarnation = self.assignment().incarnation;
      result.cell = cell;
      self.tell(MessageKind::kResult, result);
    }
    report_traffic(self);
  }

  const comm::RunPlan& run_plan_;
  const Generation last_;
};

}  // namespace lipizz::master
