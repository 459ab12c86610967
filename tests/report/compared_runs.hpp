#pragma once

#include <string>
#include <vector>

#include "config/json.hpp"
#include "report/compared_run.hpp"

namespace lipizz::report {

/// A run that has finished with that score, in runs/NAME, for tests of comparisons. `settings` are
/// as behind --set.
inline ComparedRun finished(const std::string& name, double score,
                            const std::vector<std::string>& settings = {}) {
  ComparedRun run;
  run.folder = "runs/" + name;
  for (const std::string& setting : settings) config::apply_assignment(setting, run.experiment);
  run.result = FinishedRun();
  run.result->score = {"frechet", "0000000000000abc", score, 0.5, 10'000};
  run.result->generations = 20;
  run.result->numerics = "avx2";
  run.result->fingerprint = "000000000000000" + name;
  run.result->training_s = 12.34;
  return run;
}

inline ComparedRun unfinished(const std::string& name, Generation reached) {
  ComparedRun run = finished(name, 0);
  run.result.reset();
  run.reached = reached;
  return run;
}

}  // namespace lipizz::report
