#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "sweep/claims.hpp"
#include "sweep/plan.hpp"
#include "sweep/progress.hpp"
#include "sweep/sweep_folder.hpp"

namespace lipizz::sweep {

/// A program that was started.
class Child {
 public:
  virtual ~Child() = default;
  /// Its exit code once it has ended.
  virtual std::optional<int> poll() = 0;
  /// Asks it to save itself and leave.
  virtual void stop() = 0;
};

/// A start of lipizz with these arguments, in one of the places that there are for runs.
struct Start {
  std::vector<std::string> arguments;
  std::filesystem::path log;  // takes what it says
  std::size_t place = 0;
};

/// The choice when nothing is left but what others have.
enum class Others {
  kWaitFor,  // until they have done it; what they leave lying is taken over
  kLeaveTo,  // but for the runs of a rung, without which there is no next one
};

/// All that the runner needs of its surroundings.
struct Surroundings {
  std::function<std::unique_ptr<Child>(const Start&)> start;
  std::function<void(const std::string& line)> tell;  // a line for people
  std::function<bool()> is_asked_to_stop;
  std::function<void()> pause;  // until the next look
  const Clock& clock;
};

/// Trains the runs of a sweep, some at a time, together with whatever other processes do the same:
/// each claims a run, has it trained or trained on, and goes on until nothing is left. A run that
/// fails is told and left as it is.
class Runner {
 public:
  /// The plan must outlive it. CheckpointError when the folder cannot be made.
  Runner(const Plan& plan, const SweepFolder& folder, std::size_t n_places, Others others,
         Surroundings surroundings);

  /// Runs that have failed until now are tried again.
  void retry_failed() { reader_.forgive_failures(); }

  /// Returns an exit code: that of the first run that failed; else 75 when some are left, of which
  /// those that another process has do not count where they are left to it; else 0. Where it cannot
  /// go on, those that train are asked to save themselves, and its error is thrown once they have
  /// ended.
  int run();

 private:
  struct Running {
    std::size_t index;  // of the run
    std::uint32_t claim;
    std::size_t place;
    Generation target;
    double since_s;
    std::unique_ptr<Child> child;
  };

  [[nodiscard]] int train();
  void save_children();
  void beat_when_due();
  void look();
  [[nodiscard]] bool is_look_due() const;
  void look_after_children();
  void start_what_can_be();
  [[nodiscard]] std::optional<std::size_t> claim_next();
  [[nodiscard]] Start start_of(std::size_t index, std::size_t place) const;
  [[nodiscard]] bool is_busy() const;
  [[nodiscard]] bool waits_for_others() const;
  void finish(Running& running, int exit_code);
  [[nodiscard]] ClaimEnd end_of_child(const Running& running, int exit_code);
  void stop();
  [[nodiscard]] int exit_code();

  const Plan& plan_;
  SweepFolder folder_;
  Others others_;
  Surroundings surroundings_;
  Claimer claimer_;
  ProgressReader reader_;
  Progress progress_;
  std::deque<std::size_t> candidates_;             // runs that looked free
  std::vector<std::unique_ptr<Running>> running_;  // by place; null: free
  double last_beat_s_;
  double last_look_s_;
  bool has_changed_ = true;     // since the last look
  bool has_lost_race_ = false;  // since then
  bool starts_more_ = true;
  bool was_asked_to_stop_ = false;
};

}  // namespace lipizz::sweep
