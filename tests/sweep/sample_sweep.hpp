#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "config/experiment.hpp"
#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "sweep/plan.hpp"
#include "sweep/sweep_file.hpp"
#include "sweep/sweep_folder.hpp"

namespace lipizz::sweep {

/// A sweep without files around it.
inline SweepFile parsed(const std::string& json) {
  return parse_sweep(json, "FILE", [](const std::filesystem::path& base, config::Experiment&) {
    throw ConfigError("no file " + base.string());
  });
}

/// Three rates by two losses, with two seeds; `more` is put behind a comma.
inline Plan sample_plan(const std::string& more = "") {
  SweepFile sweep = parsed(R"({"base": {"data": {"dataset": "ring8"}, "generations": 8}, "seeds": 2,
    "axes": [{"setting": "generator.learning_rate", "values": [0.001, 0.01, 0.1]},
             {"setting": "generator.loss", "values": ["bce", "mse"]}])" +
                           more + "}");
  sweep.name = "sample";
  return Plan(sweep);
}

/// The part of a result that tests change.
struct SampleResult {
  double score = 0;
  Generation generations = 8;
  std::string judge = "1111111111111111";
  std::uint32_t n_samples = 100;
  double training_s = 4;
};

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  make_folders(file.parent_path());
  std::ofstream(file) << text;
}

/// A result.json as a run leaves it, as far as it is read.
inline void write_result(const std::filesystem::path& run, const SampleResult& result) {
  write_text(run / "result.json",
             R"({"experiment": {"name": "a", "dataset": "ring8", "model": "mlp-2d", "seed": 1,
                 "configuration": "2222222222222222"}, "grid": {"rows": 2, "cols": 2, "columns": 2},
                 "fingerprint": "3333333333333333", "numerics": "avx2",
                 "best_cell": {"row": 0, "col": 1}, "generations": )" +
                 std::to_string(result.generations) +
                 R"(, "score": {"metric": "modes", "floor": 0.5, "judge": ")" + result.judge +
                 R"(", "n_samples": )" + std::to_string(result.n_samples) + R"(, "value": )" +
                 (std::isfinite(result.score) ? std::to_string(result.score) : "null") +
                 R"(}, "times": {"from_generation": 0,
                 "training_s": )" +
                 std::to_string(result.training_s) + "}}");
}

inline std::filesystem::path folder_of(const SweepFolder& folder, const PlannedRun& run) {
  return folder.runs() / run.folder;
}

}  // namespace lipizz::sweep
