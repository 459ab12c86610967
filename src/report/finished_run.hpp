#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/ids.hpp"
#include "grid/torus.hpp"

namespace lipizz::report {

/// The result of a run, as its result.json tells; docs/architecture.md lists its keys.
struct FinishedRun {
  std::filesystem::path folder;
  std::string name;  // of the experiment
  std::string dataset;
  std::string model;  // its name, or the JSON of all of it
  std::uint64_t seed = 0;
  std::string configuration;  // hash of the experiment, as 16 hexadecimal digits; so are the others
  std::string fingerprint;
  std::string numerics;
  grid::Torus torus;
  Generation generations = 0;
  CellId best_cell;
  struct Score {
    std::string metric;
    std::string judge;  // scores of different judges must not be compared
    double value = 0;   // of the best cell; lower is better; NaN: there is none
    double floor = 0;   // real samples among themselves
    std::uint32_t n_samples = 0;
  };
  Score score;
  /// The best of all generations, as it was scored while training.
  struct Best {
    double value = 0;
    std::uint32_t n_samples = 0;
    Generation generation = 0;
    CellId cell;
    bool has_mixture = false;  // mixture-best/ holds it
  };
  std::optional<Best> best;  // none: no generation was scored, or an older build wrote the result
  double training_s = 0;     // since from_generation
  Generation from_generation = 0;
};

/// Nothing where the run has no result yet. ConfigError when there is no such folder;
/// CheckpointError when its result.json is larger than 256 MiB or is not what a run writes.
std::optional<FinishedRun> read_finished_run(const std::filesystem::path& folder);
/// The same of a run whose configuration has this grid; CheckpointError where the result is of
/// another one.
std::optional<FinishedRun> read_finished_run(const std::filesystem::path& folder,
                                             const grid::Torus& torus);

}  // namespace lipizz::report
