#include "master/master.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>

#include "checkpoint/run_checkpoints.hpp"
#include "comm/thread_world.hpp"
#include "core/error.hpp"

namespace lipizz::master {
namespace {

using comm::MessageKind;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A worker without networks: `answer` says what it sends for each message.
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

// Goes when it is told to.
struct ManualClock final : Clock {
  double now_s() const override { return now; }
  std::atomic<double> now = 100;
};

// A second goes by whenever somebody looks.
struct SteppingClock final : Clock {
  double now_s() const override { return ticks.fetch_add(1); }
  mutable std::atomic<int> ticks = 0;
};

class MasterTest : public testing::Test {
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

  // Trains both cells at once: cell 1 is better, and tells first.
  static void play_well(ScriptedWorker& self, const comm::Message& message) {
    switch (message.kind) {
      case MessageKind::kPing:
        return self.tell(MessageKind::kStatus, comm::Status{});
      case MessageKind::kStart: {
        self.tell(MessageKind::kTaskDone,
                  comm::TaskDone{comm::TaskKind::kOpenData, "toy", 0.25, 10, ""});
        for (Generation generation = 1; generation <= 2; ++generation) {
          for (const std::uint32_t cell : {1U, 0U}) {
            self.tell(MessageKind::kMetrics,
                      comm::Metrics{{cell},
                                    generation,
                                    9.0 - cell - generation,
                                    "{\"line\":" + std::to_string(10 * generation + cell) + "}"});
          }
        }
        for (const std::uint32_t cell : {1U, 0U}) {
          comm::CellResult result;
          result.cell = {cell};
          result.score = 5.0 - cell;
          result.fingerprint = cell;
          self.tell(MessageKind::kResult, result);
          self.tell(MessageKind::kSaved, comm::Saved{{cell}, 2, ""});
        }
        return;
      }
      case MessageKind::kTask: {
        const auto task = comm::Task::decode(message.payload);
        const std::string file =
            "asked-" + std::to_string(task.cell.value) + "-" + std::to_string(task.generation);
        return self.tell(MessageKind::kTaskDone, comm::TaskDone{task.kind, "toy", 0.5, 100, file});
      }
      default:
        return;
    }
  }

  const SystemClock clock_;
  fs::path folder_ = fs::path(testing::TempDir()) / "lipizz_master_test";
  config::Experiment experiment_;
  comm::Verdict verdict_;
  std::vector<comm::InventoryEntry> inventory_;
  std::vector<std::string> notes_;
  int worker_exit_code_ = -2;
  std::string out_;
  std::string errors_;
};

TEST_F(MasterTest, leads_a_run_to_its_end_and_leaves_the_folder) {
  EXPECT_EQ(run(play_well, clock_), ExitCode::kDone);
  EXPECT_EQ(worker_exit_code_, 0);
  EXPECT_EQ(text_of(folder_ / "config.json"), "{}\n");
  EXPECT_EQ(text_of(folder_ / "metrics.jsonl"),
            "{\"line\":10}\n{\"line\":11}\n{\"line\":20}\n{\"line\":21}\n");
  const auto result = nlohmann::json::parse(text_of(folder_ / "result.json"));
  EXPECT_EQ(result["best_cell"]["col"], 1);
  EXPECT_EQ(result["score"]["value"], 4.0);
  EXPECT_EQ(result["score"]["floor"], 0.5);
  EXPECT_EQ(result["score"]["metric"], "toy");
  const std::string log = text_of(folder_ / "run.log");
  EXPECT_THAT(log, HasSubstr("rank 1 on node1"));
  EXPECT_THAT(log, HasSubstr("written: asked-1-1")) << "the first improvement";
  EXPECT_THAT(log, HasSubstr("written: asked-1-2")) << "the second, and the final files";
  EXPECT_THAT(out_, HasSubstr("generation 2/2"));
  EXPECT_THAT(out_, HasSubstr(folder_.string()));
  EXPECT_EQ(errors_, "");
}

// A run from the seed, or from where the verdict says, whose cells train as fast as messages go:
// every worker plays those that it hosts, and listens to no course.
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

// Trains the first generation at once, and then as far as a course to hold says; the second worker
// one further, as if the course had come late.
class Holder : public Trainee {
 public:
  using Trainee::Trainee;

 protected:
  void start(ScriptedWorker& self) override {
    evolve(self, 1);
    reached_[self.rank().value] = 1;
  }
  void play(ScriptedWorker& self, const comm::Message& message) override {
    if (message.kind != MessageKind::kCourse) return Trainee::play(self, message);
    const Generation from = comm::Course::decode(message.payload).hold_from;
    if (from == comm::Course::kNever) return;
    Generation& reached = reached_[self.rank().value];
    const bool is_late = self.rank() == Rank{2} && std::exchange(is_first_course_, false);
    while (reached < from + (is_late ? 1 : 0)) evolve(self, ++reached);
    stand(self, reached);
  }
  virtual void stand(ScriptedWorker& self, Generation generation) {
    save(self, generation);
    hold(self, generation);
  }

 private:
  std::array<Generation, 3> reached_{};  // by rank; each has a thread of its own
  bool is_first_course_ = true;          // the second worker's
};

const Interruption kAtOnce{.requested = [] { return std::string("signal USR1"); }};

TEST_F(MasterTest, a_request_to_stop_ends_with_every_cell_saved_at_one_generation) {
  experiment_.generations = 10;
  host_on({1, 2});
  Holder script(verdict_, 10);
  EXPECT_EQ(run(script.answer(), clock_, kAtOnce), ExitCode::kResumable);
  EXPECT_EQ(worker_exit_code_, 75);
  EXPECT_THAT(out_, ContainsRegex("stopped at the end of generation [23] of 10: signal USR1"));
  EXPECT_THAT(out_, HasSubstr("lipizz --resume " + folder_.string()));
  const std::string log = text_of(folder_ / "run.log");
  EXPECT_THAT(log, HasSubstr("signal USR1: all cells are brought"));
  EXPECT_THAT(log, ContainsRegex("generation [23] is saved"));
  EXPECT_THAT(text_of(folder_ / "metrics.jsonl"), testing::StartsWith("1/0\n1/1\n2/0\n2/1\n"));
  EXPECT_FALSE(fs::exists(folder_ / "result.json"));
}

TEST_F(MasterTest, a_time_limit_that_is_near_does_the_same) {
  experiment_.generations = 10;
  const ManualClock clock;
  Interruption interruption;
  interruption.until_s = clock.now + 5;
  Holder script(verdict_, 10);
  EXPECT_EQ(run(script.answer(), clock, interruption), ExitCode::kResumable);
  EXPECT_EQ(worker_exit_code_, 75);
  EXPECT_THAT(out_, HasSubstr("of 10: the time limit"));
}

TEST_F(MasterTest, a_time_limit_that_is_far_changes_nothing) {
  const ManualClock clock;
  Interruption interruption;
  interruption.until_s = clock.now + 5.1;
  EXPECT_EQ(run(play_well, clock, interruption), ExitCode::kDone);
}

TEST_F(MasterTest, leaves_time_for_two_of_the_longest_generations) {
  struct Slow : Holder {
    using Holder::Holder;
    void start(ScriptedWorker& self) override {
      clock.now = clock.now + 10;
      Holder::start(self);
    }
    ManualClock clock;
  };
  experiment_.generations = 10;
  Slow script(verdict_, 10);
  Interruption interruption;
  interruption.until_s = script.clock.now + 10 + 2 * 10 + 5;
  EXPECT_EQ(run(script.answer(), script.clock, interruption), ExitCode::kResumable);
}

TEST_F(MasterTest, a_cell_that_cannot_be_saved_is_a_warning_while_training) {
  struct FullDisk : Trainee {
    using Trainee::Trainee;
    void start(ScriptedWorker& self) override {
      evolve(self, 1);
      save(self, 1, "cannot write generation-000001: the disk is full");
      evolve(self, 2);
      save(self, 2, "cannot write generation-000002: the disk is full");
      finish(self);
    }
  };
  FullDisk script(verdict_, 2);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_EQ(worker_exit_code_, 0);
  EXPECT_EQ(errors_, "lipizz: warning: cannot write generation-000001: the disk is full\n")
      << "once";
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr("generation-000002"));
}

TEST_F(MasterTest, and_an_error_when_the_run_is_to_be_left) {
  struct FullDisk : Holder {
    using Holder::Holder;
    void stand(ScriptedWorker& self, Generation generation) override {
      save(self, generation, "the disk is full");
      hold(self, generation);
    }
  };
  experiment_.generations = 10;
  FullDisk script(verdict_, 10);
  EXPECT_THROW(run(script.answer(), clock_, kAtOnce), CheckpointError);
  EXPECT_EQ(worker_exit_code_, 6);
}

TEST_F(MasterTest, the_end_waits_until_every_cell_is_saved) {
  struct SlowDisk : Trainee {
    using Trainee::Trainee;
    void start(ScriptedWorker& self) override {
      evolve(self, 1);
      finish(self);
      n_pings = 0;
    }
    void play(ScriptedWorker& self, const comm::Message& message) override {
      const bool is_busy = n_pings < 10;
      if (message.kind == MessageKind::kTask && is_busy &&
          comm::Task::decode(message.payload).kind == comm::TaskKind::kFinalFiles) {
        was_hurried = true;
      }
      if (message.kind == MessageKind::kPing && is_busy && ++n_pings == 10) save(self, 1);
      Trainee::play(self, message);
    }
    int n_pings = -1'000'000;  // since the end of training
    bool was_hurried = false;
  };
  experiment_.generations = 1;
  SlowDisk script(verdict_, 1);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_FALSE(script.was_hurried);
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr("generation 1 is saved"));
}

TEST_F(MasterTest, tells_workers_where_to_save_when_it_is_time) {
  struct Saver : Trainee {
    using Trainee::Trainee;
    void start(ScriptedWorker&) override { clock.now = clock.now + 7; }
    void play(ScriptedWorker& self, const comm::Message& message) override {
      if (message.kind != MessageKind::kCourse) return Trainee::play(self, message);
      course = comm::Course::decode(message.payload);
      Trainee::start(self);
    }
    ManualClock clock;
    comm::Course course;
  };
  experiment_.generations = 10;
  experiment_.checkpoint.every = "7s";
  Saver script(verdict_, 10);
  EXPECT_EQ(run(script.answer(), script.clock), ExitCode::kDone);
  EXPECT_EQ(script.course, (comm::Course{2, comm::Course::kNever}));
}

TEST_F(MasterTest, keeps_the_last_two_saved_generations) {
  struct Saver : Trainee {
    Saver(const comm::Verdict& verdict, Generation last)
        : Trainee(verdict, last), files(verdict.output_dir, 2) {}
    void start(ScriptedWorker& self) override {
      for (const Generation generation : {1U, 2U, 3U, 4U}) {
        evolve(self, generation);
        files.prepare(generation);
        save(self, generation, generation == 3 ? "the disk is full" : "");
      }
      finish(self);
    }
    checkpoint::RunCheckpoints files;
  };
  experiment_.generations = 4;
  Saver script(verdict_, 4);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  const auto is_there = [&](Generation generation) {
    return fs::exists(script.files.file(generation, {0}).parent_path());
  };
  EXPECT_FALSE(is_there(1));
  EXPECT_TRUE(is_there(2)) << "3 never was complete";
  EXPECT_TRUE(is_there(4));
}

TEST_F(MasterTest, goes_on_with_the_folder_of_the_run_that_it_resumes) {
  std::ofstream(folder_ / "metrics.jsonl") << "1/0\n1/1\n2/0\n2/1\n3/0\nhalf";
  std::ofstream(folder_ / "result.json") << "of another life";
  experiment_.generations = 4;
  verdict_.start = 2;
  notes_ = {"resumed at the end of generation 2 of 4"};
  struct Looker : Trainee {
    using Trainee::Trainee;
    void start(ScriptedWorker& self) override {
      had_result = fs::exists(fs::path(verdict_.output_dir) / "result.json");
      Trainee::start(self);
    }
    bool had_result = true;
  };
  Looker script(verdict_, 4);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_EQ(text_of(folder_ / "metrics.jsonl"), "1/0\n1/1\n2/0\n2/1\n3/0\n3/1\n4/0\n4/1\n");
  EXPECT_FALSE(script.had_result) << "a result of fewer generations is no result any more";
  EXPECT_EQ(nlohmann::json::parse(text_of(folder_ / "result.json"))["generations"], 4);
  EXPECT_THAT(out_, HasSubstr(notes_[0]));
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr(notes_[0]));
}

TEST_F(MasterTest, a_run_that_lacks_its_last_files_alone_gets_them) {
  std::ofstream(folder_ / "metrics.jsonl") << "1/0\n1/1\n2/0\n2/1\n";
  verdict_.start = 2;
  struct Finisher : Trainee {
    using Trainee::Trainee;
    void start(ScriptedWorker& self) override { finish(self); }
  };
  Finisher script(verdict_, 2);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_TRUE(fs::exists(folder_ / "result.json"));
}

// Which pictures are asked for, with these scores of the two cells by generation.
class Pictures : public Trainee {
 public:
  Pictures(const comm::Verdict& verdict, std::vector<std::array<double, 2>> scores)
      : Trainee(verdict, static_cast<Generation>(scores.size())), scores_(std::move(scores)) {}

  std::vector<std::pair<Generation, std::uint32_t>> asked;

 protected:
  double score(CellId cell, Generation generation) override {
    return scores_[generation - 1][cell.value];
  }
  void play(ScriptedWorker& self, const comm::Message& message) override {
    if (message.kind == MessageKind::kTask) {
      const auto task = comm::Task::decode(message.payload);
      if (task.kind == comm::TaskKind::kImprovedSheet) {
        asked.emplace_back(task.generation, task.cell.value);
      }
    }
    Trainee::play(self, message);
  }

 private:
  std::vector<std::array<double, 2>> scores_;
};

TEST_F(MasterTest, asks_for_a_picture_of_every_generation_that_is_better_than_all_before) {
  const double nan = std::nan("");
  experiment_.generations = 7;
  Pictures script(verdict_, {{9, 8}, {8, 9}, {nan, nan}, {7, 7}, {nan, 6}, {7, 8}, {5, nan}});
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_THAT(script.asked, testing::ElementsAre(std::pair(1U, 1U), std::pair(4U, 0U),
                                                 std::pair(5U, 1U), std::pair(7U, 0U)));
}

TEST_F(MasterTest, in_long_runs_pictures_keep_apart_and_each_is_better_than_all_before) {
  std::vector<std::array<double, 2>> scores(101, {50, 50});  // a picture in three generations
  scores[0] = {20, 30};
  scores[1] = {10, 30};  // better, but too soon
  scores[3] = {15, 30};  // worse than what was never drawn
  scores[4] = {9, 30};
  scores[6] = {8, 30};  // too soon
  scores[7] = {7, 30};
  experiment_.generations = 101;
  Pictures script(verdict_, scores);
  EXPECT_EQ(run(script.answer(), clock_), ExitCode::kDone);
  EXPECT_THAT(script.asked,
              testing::ElementsAre(std::pair(1U, 0U), std::pair(5U, 0U), std::pair(8U, 0U)));
}

TEST_F(MasterTest, an_error_of_a_worker_ends_the_run_with_its_code) {
  const auto fail = [](ScriptedWorker& self, const comm::Message& message) {
    if (message.kind == MessageKind::kStart) {
      self.tell(MessageKind::kFailure, comm::Failure{4, "no samples"});
      self.tell(MessageKind::kFailure, comm::Failure{5, "a second one"});
    }
  };
  try {
    run(fail, clock_);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kData);
    EXPECT_STREQ(error.what(), "no samples");
  }
  EXPECT_EQ(worker_exit_code_, 4);
  EXPECT_FALSE(fs::exists(folder_ / "result.json"));
  EXPECT_THAT(text_of(folder_ / "run.log"), HasSubstr("no samples"));
}

TEST_F(MasterTest, so_does_an_error_of_its_own) {
  fs::create_directories(folder_ / "result.json" / "x");  // nothing can be renamed to that
  EXPECT_THROW(run(play_well, clock_), CheckpointError);
  EXPECT_EQ(worker_exit_code_, 6);
}

TEST_F(MasterTest, and_a_message_that_makes_no_sense) {
  const auto babble = [](ScriptedWorker& self, const comm::Message& message) {
    if (message.kind == MessageKind::kStart) self.tell(MessageKind::kMetrics, comm::Stop{});
  };
  EXPECT_THROW(run(babble, clock_), CommError);
  EXPECT_EQ(worker_exit_code_, 3);
}

// GRID-3 as far as it goes today: reported by name, then given up.
TEST_F(MasterTest, a_silent_worker_is_late_then_dead) {
  const SteppingClock fast_clock;
  try {
    run([](ScriptedWorker&, const comm::Message&) {}, fast_clock);
    FAIL() << "went on";
  } catch (const comm::PeerLost& lost) {
    EXPECT_THAT(lost.what(), ContainsRegex("rank 1 on node1 \\(cells 0, 1\\)"));
    EXPECT_THAT(lost.what(), HasSubstr(folder_.string()));
  }
  EXPECT_THAT(worker_exit_code_, testing::AnyOf(3, ScriptedWorker::kCutOff))
      << "told to leave, or cut off before it heard";
  const std::string log = text_of(folder_ / "run.log");
  EXPECT_THAT(log, ContainsRegex("warning rank 0: rank 1 on node1.* is late"));
  EXPECT_THAT(errors_, HasSubstr("is late"));
}

}  // namespace
}  // namespace lipizz::master
