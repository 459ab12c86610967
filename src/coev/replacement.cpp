#include "coev/replacement.hpp"

#include <cmath>
#include <utility>

#include "coev/fitness.hpp"
#include "coev/selection.hpp"
#include "core/check.hpp"
#include "core/error.hpp"

namespace lipizz::coev {
namespace {

std::string lost_in_training(const ReplacementInput& input) {
  return std::string(to_string(input.role)) + " went NaN or infinite in training";
}

std::string of_cell(CellId cell) {
  return "cell " + std::to_string(cell.value);
}

ReplacementResult keep(const ReplacementInput& input) {
  ReplacementResult result{false, input.before[0], {}};
  if (!std::isfinite(input.offspring)) {
    result.warning = lost_in_training(input) + "; the centre stays as it was before";
  }
  return result;
}

ReplacementResult rescue(const ReplacementInput& input, Genome& centre) {
  LIPIZZ_ASSERT(input.before.size() == input.members.size());
  const auto best = best_finite(input.before.subspan(1), input.members.cells().subspan(1));
  if (!best) {
    throw NumericError(of_cell(input.members.cells()[0]) + ": the " + lost_in_training(input) +
                       " and no neighbour has a finite one; lower " +
                       std::string(to_string(input.role)) + ".learning_rate");
  }
  const std::size_t member = *best + 1;
  const CellId source = input.members.cells()[member];
  copy(genome(input.members.pair(member), input.role), centre);
  centre.origin = source;
  return {false, input.before[member],
          lost_in_training(input) + "; replaced by that of " + of_cell(source)};
}

}  // namespace

Decision decide(Replacement replacement, double centre, double offspring) {
  if (replacement == Replacement::kGenerational) {
    return std::isfinite(offspring) ? Decision::kOffspring : Decision::kRescue;
  }
  if (is_better(offspring, centre)) return Decision::kOffspring;
  return std::isfinite(centre) ? Decision::kKeep : Decision::kRescue;
}

std::optional<std::size_t> best_finite(std::span<const double> fitness,
                                       std::span<const CellId> cells) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    if (!std::isfinite(fitness[i])) continue;
    if (!best || precedes(fitness[i], cells[i], fitness[*best], cells[*best])) best = i;
  }
  return best;
}

ReplacementResult settle(const ReplacementInput& input, Pair& centre, Pair& offspring) {
  const double before = input.before.empty() ? NAN : input.before[0];
  switch (decide(input.replacement, before, input.offspring)) {
    case Decision::kOffspring:
      std::swap(genome(centre, input.role), genome(offspring, input.role));
      return {true, input.offspring, {}};
    case Decision::kKeep:
      return keep(input);
    case Decision::kRescue:
      break;
  }
  return rescue(input, genome(centre, input.role));
}

}  // namespace lipizz::coev
