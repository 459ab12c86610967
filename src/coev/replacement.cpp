#include "coev/replacement.hpp"

#include <cmath>
#include <utility>

#include "coev/fitness.hpp"
#include "coev/selection.hpp"
#include "core/check.hpp"
#include "core/error.hpp"

namespace lipizz::coev {
namespace {

std::string lost_in_training(const Contest& contest) {
  return std::string(to_string(contest.species)) + " went NaN or infinite in training";
}

std::string of_cell(CellId cell) {
  return "cell " + std::to_string(cell.value);
}

Settlement keep(const Contest& contest) {
  Settlement settlement{false, contest.before[0], {}};
  if (!std::isfinite(contest.offspring)) {
    settlement.warning = lost_in_training(contest) + "; the centre stays as it was before";
  }
  return settlement;
}

Settlement rescue(const Contest& contest, Genome& centre) {
  LIPIZZ_ASSERT(contest.before.size() == contest.members.size());
  const auto best = best_finite(contest.before.subspan(1), contest.members.cells().subspan(1));
  if (!best) {
    throw NumericError(of_cell(contest.members.cells()[0]) + ": the " + lost_in_training(contest) +
                       " and no neighbour has a finite one; lower " +
                       std::string(to_string(contest.species)) + ".learning_rate");
  }
  const std::size_t member = *best + 1;
  const CellId source = contest.members.cells()[member];
  copy(genome(contest.members.pair(member), contest.species), centre);
  centre.origin = source;
  return {false, contest.before[member],
          lost_in_training(contest) + "; replaced by that of " + of_cell(source)};
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

Settlement settle(const Contest& contest, Pair& centre, Pair& offspring) {
  const double before = contest.before.empty() ? NAN : contest.before[0];
  switch (decide(contest.replacement, before, contest.offspring)) {
    case Decision::kOffspring:
      std::swap(genome(centre, contest.species), genome(offspring, contest.species));
      return {true, contest.offspring, {}};
    case Decision::kKeep:
      return keep(contest);
    case Decision::kRescue:
      break;
  }
  return rescue(contest, genome(centre, contest.species));
}

}  // namespace lipizz::coev
