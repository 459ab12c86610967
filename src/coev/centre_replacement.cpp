#include "coev/centre_replacement.hpp"

#include <cmath>
#include <utility>

#include "coev/ranking.hpp"
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
  ReplacementResult result{.fitness = input.before[0]};
  if (!std::isfinite(input.offspring)) {
    result.warning = lost_in_training(input) + "; the centre stays as it was before";
  }
  return result;
}

// It belongs to the arithmetic, not to the individual: a centre that stays takes it from the
// offspring that was trained from it.
void keep_loss_scale(const ReplacementInput& input, const Genome& offspring, Genome& centre) {
  if (offspring.origin == input.members.cells()[0]) centre.loss_scale = offspring.loss_scale;
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
  return {.is_copied = true,
          .fitness = input.before[member],
          .warning = lost_in_training(input) + "; replaced by that of " + of_cell(source)};
}

}  // namespace

ReplacementResult replace_centre(const ReplacementInput& input, Pair& centre, Pair& offspring) {
  const double centre_fitness = input.before.empty() ? NAN : input.before[0];
  const Configured<Replacement>& replacement = input.replacement;
  switch (replacement->decide(centre_fitness, input.offspring, replacement.values())) {
    case Decision::kOffspring:
      genome(centre, input.role) = std::move(genome(offspring, input.role));
      return {.is_replaced = true, .fitness = input.offspring};
    case Decision::kKeep:
      keep_loss_scale(input, genome(offspring, input.role), genome(centre, input.role));
      return keep(input);
    case Decision::kRescue:
      break;
  }
  return rescue(input, genome(centre, input.role));
}

}  // namespace lipizz::coev
