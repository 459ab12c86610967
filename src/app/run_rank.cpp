#include "app/run_rank.hpp"

#include <utility>

#include "app/run_master.hpp"
#include "app/run_worker.hpp"
#include "core/diagnosis.hpp"

namespace lipizz::app {

Outcome run_rank(comm::CommManager& comm, const LoadExperiment& load, const RunOptions& options,
                 const Clock& clock, const AbortHandler& abort) {
  RankSetup own = prepare_rank(load);
  Outcome outcome;
  std::exception_ptr failure;
  try {
    outcome = comm.is_master() ? run_master(comm, std::move(own), options, clock)
                               : run_worker(comm, std::move(own), options, clock);
    if (outcome.ending != comm::Ending::kAborted) return outcome;
    failure = outcome.error;
  } catch (const std::exception& error) {
    outcome.exit_code = static_cast<int>(diagnosis_of(error).code);
    failure = diagnosed(std::current_exception());
  }
  abort(comm, outcome.exit_code, failure);
  return {.exit_code = outcome.exit_code};
}

}  // namespace lipizz::app
