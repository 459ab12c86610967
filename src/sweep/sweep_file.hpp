#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.hpp"
#include "core/ids.hpp"

namespace lipizz::sweep {

/// A setting, as `--set` names it, and the values that it takes one after the other, each as text
/// as `--set` takes it.
struct Axis {
  std::string setting;
  std::vector<std::string> values;
  bool operator==(const Axis&) const = default;
};

/// Axes that move together: the first value of each, then the second. All have as many values.
using AxisGroup = std::vector<Axis>;

/// Successive halving: at each of these generations the worse combinations stop, and `keep` of
/// them, at least one, go on.
struct StopEarly {
  std::vector<Generation> rungs;  // rising
  double keep = 0.5;
  bool operator==(const StopEarly&) const = default;
};

/// A sweep as it was written.
struct SweepFile {
  std::string name;
  config::Experiment base;
  std::vector<AxisGroup> axes;       // their product
  std::vector<std::uint64_t> seeds;  // at least one
  std::optional<StopEarly> stop_early;
};

/// Applies the file of settings of that path to the experiment.
using LoadSettings = std::function<void(const std::filesystem::path&, config::Experiment&)>;

/// Reads a sweep; sweep/keys.hpp has its format. Reading is strict: an unknown or repeated key, a
/// wrong type, a number out of range, more than sweep/limits.hpp allows, and a setting that there
/// is not, are ConfigErrors that begin with `source` and say where. `load` gets a base that is a
/// path, as it was written.
SweepFile parse_sweep(std::string_view text, const std::string& source, const LoadSettings& load);

/// The same of a file, to whose folder the path of a base is relative. A sweep that has no name is
/// called like its file.
SweepFile read_sweep(const std::filesystem::path& file);

}  // namespace lipizz::sweep
