#pragma once

#include <filesystem>

#include "app/ensemble_pool.hpp"
#include "app/ensemble_request.hpp"
#include "app/ensemble_search.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::app {

/// Writes an ensemble into a folder that exists and is empty, so that commands take it for a run
/// with a final mixture: mixture/, whose generators are the members, cell 0,i being the i-th of
/// them; config.json, that of the first run on a row of as many cells; and ensemble.json, which
/// says where each comes from (docs/formats.md). CheckpointError.
void write_ensemble(const std::filesystem::path& folder, EnsemblePool& pool,
                    const Ensemble& ensemble, const metrics::Scorer& scorer,
                    const EnsembleRequest& request);

}  // namespace lipizz::app
