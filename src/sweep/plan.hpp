#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "sweep/sweep_file.hpp"

namespace lipizz::sweep {

/// One value for each of the plan's settings; all its runs differ in their seeds alone.
struct Combination {
  std::vector<std::string> values;
  std::string label;  // `learning_rate=0.001 loss=bce`, of short names; empty where nothing differs
};

/// One run of a sweep.
struct PlannedRun {
  std::size_t combination = 0;
  std::uint64_t seed = 0;
  /// 16 hexadecimal digits, a hash of the resolved experiment: of all settings that a result
  /// depends on, of its length (generations, stop.patience) and, where they are set, of data.path
  /// and of what the file convolution_table says. So it is the same run in whatever sweep it
  /// stands.
  std::string id;
  std::string folder;  // its name: readable settings, the seed, the id
};

/// Every run of a sweep, in the order of its axes, the first one slowest, then of its seeds.
/// Combinations that are the same experiment are planned once.
class Plan {
 public:
  /// Reads the tables of convolutions that are named. ConfigError when there are too many runs, and
  /// when a combination is no experiment: it is named.
  explicit Plan(SweepFile sweep);

  [[nodiscard]] const SweepFile& sweep() const { return sweep_; }
  /// The paths of the settings that differ, by axis.
  [[nodiscard]] const std::vector<std::string>& settings() const { return settings_; }
  /// The same as short as they can be told apart: `learning_rate`.
  [[nodiscard]] const std::vector<std::string>& short_names() const { return short_names_; }
  [[nodiscard]] const std::vector<Combination>& combinations() const { return combinations_; }
  [[nodiscard]] const std::vector<PlannedRun>& runs() const { return runs_; }
  /// How many combinations were left out, since another one is the same experiment.
  [[nodiscard]] std::size_t n_repeated() const { return n_repeated_; }

  /// The experiment of a combination as a configuration file would say it, its `auto` not resolved.
  [[nodiscard]] config::Experiment experiment(const Combination& combination,
                                              std::uint64_t seed) const;
  [[nodiscard]] config::Experiment experiment(const PlannedRun& run) const;

  /// The length of a combination's runs.
  [[nodiscard]] Generation generations(std::size_t combination) const {
    return generations_[combination];
  }

  /// True where they may end before: a result of fewer generations is all that there will be.
  [[nodiscard]] bool has_patience(std::size_t combination) const {
    return has_patience_[combination];
  }

  using Check = std::function<void(const config::Experiment&)>;
  /// Calls `check` with an experiment of each combination; its ConfigError is thrown with the
  /// combination's values in front.
  void check_each(const Check& check) const;

 private:
  void add_combination(std::vector<std::string> values);
  void leave_out_repeated();
  [[nodiscard]] std::string label_of(const std::vector<std::string>& values) const;

  SweepFile sweep_;
  std::vector<std::string> settings_;
  std::vector<std::string> short_names_;
  std::vector<Combination> combinations_;
  std::vector<Generation> generations_;  // of each combination
  std::vector<bool> has_patience_;       // of each combination
  std::vector<PlannedRun> runs_;
  std::size_t n_repeated_ = 0;
};

/// The end of each path that no other of them has.
std::vector<std::string> shortest_names(const std::vector<std::string>& paths);

}  // namespace lipizz::sweep
