#pragma once

#include <vector>

#include "core/ids.hpp"
#include "grid/neighbourhood.hpp"

namespace lipizz::grid {

/// Which neighbourhood holds in which generation; all cells switch together.
class Schedule {
 public:
  struct Entry {
    Generation from;
    const Neighbourhood* neighbourhood;
  };

  /// One neighbourhood for the whole run.
  explicit Schedule(const Neighbourhood& neighbourhood) : Schedule({{0, &neighbourhood}}) {}
  /// InternalError unless the first entry starts at 0 and each later one after the one before.
  explicit Schedule(std::vector<Entry> entries);

  [[nodiscard]] const Neighbourhood& at(Generation generation) const;
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace lipizz::grid
