#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/ensemble_pool.hpp"
#include "app/ensemble_request.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::app {

/// An ensemble of a pool's generators, and scores beside which it is to be seen.
struct Ensemble {
  std::vector<double> weights;  // of each member of the pool; 0: it is left out
  std::vector<double> alone;    // each member's score, on the samples of the search
  double score = 0;             // of fresh samples
  std::vector<double> runs;     // of each run's own mixture, on the same noise as that

  [[nodiscard]] std::size_t n_members() const;  // that are not left out
  [[nodiscard]] std::size_t best_run() const;   // the first of several alike
};

/// Finds the ensemble whose samples score best (REO-GEN, Toutouh, Hemberg and O'Reilly 2020): every
/// generator makes n_samples on common noise once, and the weighting searches in closed form
/// (coev::search_weights()), from that of the runs' own mixtures which scores best there, or from
/// equal weights where it asks for no scores. With a size, the heaviest members are kept, among
/// them always the one that scores best alone, and their weights are searched once more. The
/// ensemble and the runs' mixtures are then scored on n_samples that the search has not seen.
///
/// Departure: REO-GEN searches over ensembles of several sizes by sampling each anew. NumericError
/// when no weights give samples that are finite.
Ensemble find_ensemble(const EnsemblePool& pool, metrics::Scorer& scorer,
                       const EnsembleRequest& request);

}  // namespace lipizz::app
