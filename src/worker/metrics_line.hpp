#pragma once

#include <string>

#include "coev/island.hpp"
#include "grid/torus.hpp"

namespace lipizz::worker {

/// A cell's line of metrics.jsonl for one generation, without the line break; docs/architecture.md
/// lists the keys. Numbers are rounded to six digits; what is not finite becomes null. `gather_s`
/// joins the seconds of the report's routines.
std::string metrics_line(const coev::CellReport& report, const grid::Torus& torus, double gather_s);

/// The score as that line has it: what the best of a run is found by, also from its lines.
double told_score(const coev::CellReport& report);

}  // namespace lipizz::worker
