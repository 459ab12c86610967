#include "coev/subpopulation.hpp"

namespace lipizz::coev {

void Subpopulation::add(CellId cell, const Pair& pair) {
  cells_.push_back(cell);
  pairs_.push_back(&pair);
  generators_.emplace_back(pair.generator.parameters);
  discriminators_.emplace_back(pair.discriminator.parameters);
}

}  // namespace lipizz::coev
