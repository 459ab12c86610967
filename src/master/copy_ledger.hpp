#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/ids.hpp"

namespace lipizz::master {

/// Knows who keeps a copy of which cell's state in memory, as far as the master has been told. A
/// state machine without threads or messages.
class CopyLedger {
 public:
  explicit CopyLedger(std::uint32_t n_cells) : n_cells_(n_cells) {}

  void add(CellId cell, Generation generation, Rank holder);
  /// The copies that this rank kept are gone.
  void lose(Rank rank);
  /// All cells go back to the end of this generation; what was made later is gone.
  void go_back(Generation generation);
  /// Older copies are of no use any more.
  void drop_before(Generation generation);

  /// The newest generation up to `last` of which every cell has at least so many copies, one or
  /// more.
  [[nodiscard]] std::optional<Generation> newest_whole(std::size_t n_copies, Generation last) const;
  /// One who keeps the copy of such a generation: `preferred` if it does.
  [[nodiscard]] Rank holder(CellId cell, Generation generation, Rank preferred) const;

 private:
  using Holders = std::vector<std::set<Rank>>;  // by cell

  std::uint32_t n_cells_;
  std::map<Generation, Holders> holders_;
};

}  // namespace lipizz::master
