#pragma once

#include <string>

#include "sweep/figures.hpp"
#include "sweep/plan.hpp"
#include "sweep/progress.hpp"
#include "sweep/sweep_folder.hpp"

namespace lipizz::sweep {

/// The data of a sweep's page (page/sweep.js), in JSON; a number that is not finite is null.
///
///     name, folder, n_runs, n_combinations, n_seeds
///     states    [{name, n}], those that some run is in
///     settings  [{path, short}], by axis
///     notes     [text]
///     savings   {generations, of, seconds}; null where nothing was saved
///     rungs     [{generation, before, kept, decided}]
///     kinds     [{metric, text, rows, axes}]: rows [{values, n, mean, error, generations, seconds,
///               scores}], the first ones of many; axes [{setting, short, points: [{value, mean,
///               means}]}]
///     runs      [{name, state, score, generations, seconds, folder}], the first ones of many
std::string page_data(const Plan& plan, const SweepFolder& folder, const Progress& progress,
                      const Figures& figures);

}  // namespace lipizz::sweep
