#pragma once

#include <string>

#include "report/history_data.hpp"
#include "report/run_record.hpp"

namespace lipizz::report {

/// All that a report's page shows, as JSON; report.js reads it. docs/report.md says what each part
/// means.
///
/// | key | content |
/// |---|---|
/// | `run` | name, dataset, seed, grid, generations planned and done, and how scores are taken |
/// | `findings` | [{kind, text, advice}] |
/// | `best` | {generation, cell, score}; null without scores |
/// | `series`, `frames` | history_data.hpp |
/// | `lineage` | {generator, discriminator}: history_data.hpp |
/// | `sheets` | `list` [{generation, name, is_final, uri}], by generation, of `n_all`; `grid` the
/// same of all cells, or null | | `times` | [{name, waited_s, helpers_s, total_s, seconds:
/// {routine: s}}] of ranks, or of cells | | `traffic` | [{name, messages, bytes, each}] | |
/// `timeline` | rows, marks, starts; `pace`: seconds of each generation | | `cells` | [{score,
/// fingerprint, ...}] at the end | | `configuration` | config.json | | `origin` | [[what, text]] |
std::string report_data(const RunRecord& run, const HistoryLimits& limits = {});

}  // namespace lipizz::report
