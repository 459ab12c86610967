#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "master/master_run.hpp"
#include "telemetry/log_line.hpp"

namespace lipizz::master {

using comm::Assignment;
using comm::Ending;
using comm::Stop;

inline constexpr auto kNobody = Assignment::kNobody;
inline constexpr int kMaxRanks = 4;

/// Time goes by 100 s at a time, and only when the master has heard everybody who still answers
/// since it last did. So whoever falls silent is given up, and nobody else however slow it is.
class RollCall {
 public:
  explicit RollCall(int n_workers) {
    for (int rank = 1; rank <= n_workers; ++rank) answering_.insert(rank);
  }

  /// A worker is asked.
  void answer(ScriptedWorker& self) {
    const int round = round_;
    int& answered = answered_.at(static_cast<std::size_t>(self.rank().value));
    if (std::exchange(answered, round) != round) warn(self, "here " + std::string(round, '+'));
  }
  /// Somebody is about to wake up: time stands still until the master has heard it.
  void expect() { is_expecting_ = true; }
  /// The last that it says.
  static void bid_farewell(ScriptedWorker& self) { warn(self, "gone"); }

  /// The master shows a warning.
  void hear(const std::string& line) {
    for (int rank = 1; rank < kMaxRanks; ++rank) {
      const std::string who = "rank " + std::to_string(rank) + ": ";
      if (line.find(who + "gone") != std::string::npos) {
        answering_.erase(rank);
        if (round_ == 0) round_ = 1;
      } else if (line.find(who + "here") != std::string::npos) {
        heard_.insert(rank);
        const bool was_silent = answering_.insert(rank).second;
        if (was_silent) is_expecting_ = false;
      }
    }
    if (round_ == 0 || is_expecting_ || !std::ranges::includes(heard_, answering_)) return;
    clock.now = clock.now + (answering_.empty() ? 1000 : 100);
    heard_.clear();
    ++round_;
  }

  ManualClock clock;

 private:
  // The console shows what differs in digits alone only once.
  static void warn(ScriptedWorker& self, const std::string& text) {
    self.log(text, telemetry::Level::kWarning);
  }

  std::atomic<int> round_ = 0;  // from 1 as soon as somebody is silent
  std::atomic<bool> is_expecting_ = false;
  std::array<int, kMaxRanks> answered_{};  // by rank; each has a thread of its own
  std::set<int> answering_;                // like what follows, of the master's thread
  std::set<int> heard_;                    // in this round
};

/// Trains two generations, of which copies are kept. The second worker falls silent then; the
/// others go on to the end as they are assigned anew.
class Mortal : public TrainingJob {
 public:
  explicit Mortal(const comm::RunPlan& run_plan, Generation last = 4)
      : TrainingJob(run_plan, last), roll_call(static_cast<int>(run_plan.hosts.size()) - 1) {}

  RollCall roll_call;
  std::array<std::vector<Assignment>, kMaxRanks> assigned;  // by rank, in its thread

 protected:
  static std::size_t index(const ScriptedWorker& self) {
    return static_cast<std::size_t>(self.rank().value);
  }

  void all_pairs(ScriptedWorker& self, const comm::Message& message) final {
    if (is_silent_.at(index(self))) return hear(self, message);
    auto& mine = assigned.at(index(self));
    if (message.kind == MessageKind::kPing && !mine.empty()) roll_call.answer(self);
    if (message.kind == MessageKind::kAssign) {
      if (!mine.empty()) tell_of_before(self);
      mine.push_back(Assignment::decode(message.payload));
    }
    respond(self, message);
  }
  virtual void respond(ScriptedWorker& self, const comm::Message& message) {
    TrainingJob::all_pairs(self, message);
  }
  virtual void hear(ScriptedWorker&, const comm::Message&) {}  // of who is silent
  virtual void tell_of_before(ScriptedWorker&) {}              // the last of an old incarnation

  void start(ScriptedWorker& self) final {
    if (self.assignment().incarnation == 1) return live(self);
    go_on(self);
  }
  virtual void live(ScriptedWorker& self) {
    for (const Generation generation : {1U, 2U}) {
      evolve(self, generation);
      keep_copies(self, generation);
    }
    if (self.rank() == Rank{2}) fall_silent(self);
  }
  virtual void go_on(ScriptedWorker& self) { TrainingJob::start(self); }

  // In the worker's thread.
  void wake_up(ScriptedWorker& self) { is_silent_.at(index(self)) = false; }

  void fall_silent(ScriptedWorker& self) {
    RollCall::bid_farewell(self);
    is_silent_.at(index(self)) = true;
  }
  // It keeps copies of everybody else's cells: with three workers, all are buddies.
  static void keep_copies(ScriptedWorker& self, Generation generation) {
    const Assignment& present = self.assignment();
    for (std::uint32_t cell = 0; cell < present.rank_of_cell.size(); ++cell) {
      if (present.rank_of_cell[cell] == self.rank().value) continue;
      self.tell(MessageKind::kHeld, comm::Held{present.incarnation, {cell}, generation});
    }
  }

 private:
  std::array<bool, kMaxRanks> is_silent_{};  // by rank, in its thread
};

class LossTest : public MasterRun {
 protected:
  void SetUp() override {
    MasterRun::SetUp();
    experiment_.generations = 4;
    experiment_.comm = {.heartbeat_s = 0.001, .late_after_s = 1e9, .dead_after_s = 150};
    experiment_.outputs.checkpoint.every = "off";
    place({1, 2, 3});
  }

  void place(std::vector<std::int32_t> rank_of_cell, std::size_t n_spares = 0) {
    experiment_.grid = {1, static_cast<std::uint32_t>(rank_of_cell.size())};
    host_on(std::move(rank_of_cell), n_spares);
    run_plan_.survives_losses = true;
  }

  ExitCode lead(Mortal& script, const Interruption& interruption = {}) {
    on_warning_ = [&](const std::string& line) { script.roll_call.hear(line); };
    return run(script.answer(), script.roll_call.clock, interruption);
  }

  std::vector<std::optional<Stop>> told_to_leave() const {
    return {stops_.begin() + 1, stops_.end()};
  }
  std::string log() const { return text_of(folder_ / "run.log"); }
  std::string metrics() const { return metrics_of(folder_); }
};

}  // namespace lipizz::master
