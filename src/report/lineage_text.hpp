#pragma once

#include <span>
#include <string>

#include "grid/torus.hpp"
#include "report/lineage.hpp"

namespace lipizz::report {

/// Lineages as people and programs read them; docs/lineage.md explains columns and keys. Cells are
/// told as ROW,COLUMN.

/// `1,2`
std::string cell_text(const grid::Torus& torus, CellId cell);

/// A line that sums it up, then a table with a line for each stay in a cell, the newest first, and
/// where it breaks off, a line that says so. `lineage` has at least one ancestor.
std::string lineage_text(const Lineage& lineage, NetworkRole role, const grid::Torus& torus);

/// A JSON array with a line for every ancestor, the newest first: `generation`, `row`, `col`,
/// `event` (trained, kept, copied, seeded), `parent` {`generation`, `row`, `col`} (null of a seeded
/// one), `rate`, `loss`, `objective`; a figure that is not known is null. Ends with a newline.
std::string lineage_json(const Lineage& lineage, const grid::Torus& torus);

/// A generator of a mixture.
struct MemberLineage {
  double weight = 0;
  Lineage lineage;  // at least one ancestor
};

/// Says where the members meet, then lineage_text() of each.
std::string mixture_text(std::span<const MemberLineage> members, const grid::Torus& torus);

/// `members` [{`weight`, `lineage`}] and `common_ancestor` {`generation`, `row`, `col`}, null where
/// they share none.
std::string mixture_json(std::span<const MemberLineage> members, const grid::Torus& torus);

}  // namespace lipizz::report
