#pragma once

#include <span>
#include <vector>

#include "coev/genome.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

/// The sub-population of a cell in one generation: its centre first, then its neighbours' pairs in
/// the order of grid/neighbourhood.hpp (Schmiedlechner et al. 2018, with one individual of each
/// role to a cell, as in every published configuration). Island fills it. Holds views of pairs that
/// others own and that do not change before the centre is replaced. Departure: the original lists
/// the neighbours in the order in which they answer, and the cell's own individuals last.
class Subpopulation {
 public:
  void add(CellId cell, const Pair& pair) {
    cells_.push_back(cell);
    pairs_.push_back(&pair);
    generators_.emplace_back(pair.generator.parameters);
    discriminators_.emplace_back(pair.discriminator.parameters);
  }

  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] std::span<const CellId> cells() const { return cells_; }
  [[nodiscard]] const Pair& pair(std::size_t member) const { return *pairs_[member]; }
  /// Parameters of each member's network.
  [[nodiscard]] std::span<const std::span<const float>> networks(NetworkRole role) const {
    return role == NetworkRole::kGenerator ? generators_ : discriminators_;
  }
  [[nodiscard]] std::span<const std::span<const float>> generators() const { return generators_; }
  [[nodiscard]] std::span<const std::span<const float>> discriminators() const {
    return discriminators_;
  }

 private:
  std::vector<CellId> cells_;
  std::vector<const Pair*> pairs_;
  std::vector<std::span<const float>> generators_;
  std::vector<std::span<const float>> discriminators_;
};

}  // namespace lipizz::coev
