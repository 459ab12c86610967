#include "coev/evolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coev/mutation.hpp"
#include "coev/replacement.hpp"
#include "coev/selection.hpp"
#include "core/check.hpp"

namespace lipizz::coev {
namespace {

// Below this a discriminator tells real from generated almost surely, and generators learn nothing.
constexpr double kVanishedLoss = 1e-3;

using NetworkList = std::vector<std::span<const float>>;

double finite_or_nan(const Genome& genome, double fitness) {
  return is_finite(genome) ? fitness : std::numeric_limits<double>::quiet_NaN();
}

// Elitist: the opponents that the centre has met. Generational: what the neighbourhood will be, the
// offspring's own partner in the centre's place.
NetworkList opponents_of(Replacement replacement, std::span<const std::span<const float>> members,
                         const Genome& partner) {
  NetworkList opponents(members.begin(), members.end());
  if (replacement == Replacement::kGenerational && is_finite(partner)) {
    opponents[0] = partner.parameters;
  }
  return opponents;
}

// One without a lower bound says nothing by being small.
bool is_at_least_zero(const nn::Loss& loss) {
  constexpr float kFar = 1000;
  return loss.real.value(kFar) >= 0 && loss.fake.value(-kFar) >= 0;
}

void warn_if_vanished(CellReport& report, const nn::Loss& loss) {
  if (!is_at_least_zero(loss) || !(report.discriminator_loss < kVanishedLoss)) return;
  report.warnings.push_back("discriminator loss is " + std::to_string(report.discriminator_loss) +
                            ": it leaves the generators nothing to learn from");
}

}  // namespace

Evolution::Evolution(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
                     std::uint32_t n_cells)
    : settings_(settings),
      evaluator_(device, settings, dataset),
      trainer_(device, settings, dataset, n_cells),
      offspring_(n_cells) {}

void Evolution::run(std::span<const Turn> group, Generation generation,
                    const std::function<void(CellId)>& on_decided,
                    const std::function<bool()>& keep_going) {
  LIPIZZ_ASSERT(group.size() == offspring_.size());
  for (std::size_t i = 0; i < group.size(); ++i) begin(group[i], offspring_[i], generation);
  train(group, generation, keep_going);
  for (std::size_t i = 0; i < group.size(); ++i) {
    end(group[i], offspring_[i], generation);
    on_decided(group[i].cell->id);
  }
}

void Evolution::begin(const Turn& turn, Offspring& offspring, Generation generation) {
  Cell& cell = *turn.cell;
  begin_report(cell, generation);
  offspring.before.reset();
  if (selects(settings_) || settings_.replacement == Replacement::kElitist) {
    timed(cell.profile, Routine::kEvaluate,
          [&] { offspring.before = judge_members(turn, generation); });
  }
  timed(cell.profile, Routine::kUpdateGenomes, [&] { select(turn, offspring, generation); });
  timed(cell.profile, Routine::kMutate, [&] { mutate(cell.id, offspring.pair, generation); });
}

void Evolution::train(std::span<const Turn> group, Generation generation,
                      const std::function<bool()>& keep_going) {
  std::vector<TrainingJob> jobs;
  for (std::size_t i = 0; i < group.size(); ++i) {
    jobs.push_back({group[i].cell->id, &offspring_[i].pair, &group[i].subpopulation});
  }
  Profile spent;
  trainer_.train(jobs, generation, keep_going, spent);
  for (const Turn& turn : group) {
    for (const Routine routine : {Routine::kTrain, Routine::kMutate}) {
      turn.cell->profile.add(routine, spent.seconds(routine) / static_cast<double>(group.size()));
    }
  }
}

void Evolution::end(const Turn& turn, Offspring& offspring, Generation generation) {
  Cell& cell = *turn.cell;
  timed(cell.profile, Routine::kEvaluate, [&] { judge_offspring(turn, offspring, generation); });
  timed(cell.profile, Routine::kUpdateGenomes, [&] { replace(turn, offspring); });
  cell.generation = generation;
}

Evolution::MemberFitness Evolution::judge_members(const Turn& turn, Generation generation) {
  const Subpopulation& members = turn.subpopulation;
  evaluator_.draw_batch(turn.cell->id, generation, settings_.fitness.n_samples);
  const PairLosses table = evaluator_.all_pairs(members.generators(), members.discriminators());
  return {generator_fitness(table, settings_.fitness.mode),
          discriminator_fitness(table, settings_.fitness.mode)};
}

void Evolution::judge_offspring(const Turn& turn, Offspring& offspring, Generation generation) {
  const Replacement replacement = settings_.replacement;
  const FitnessMode mode = settings_.fitness.mode;
  std::uint32_t n_samples = settings_.fitness.n_samples;
  // Where nothing is decided by it, a small sample tells enough.
  if (replacement == Replacement::kGenerational) {
    n_samples = std::min(n_samples, rows_at_once(settings_.model));
  }
  evaluator_.draw_batch(turn.cell->id, generation, n_samples);
  const Genome& g = offspring.pair.generator;
  const Genome& d = offspring.pair.discriminator;
  const NetworkList own_g{g.parameters};
  const NetworkList own_d{d.parameters};
  const Subpopulation& members = turn.subpopulation;
  const PairLosses g_table =
      evaluator_.all_pairs_on_fakes(own_g, opponents_of(replacement, members.discriminators(), d));
  const PairLosses d_table =
      evaluator_.all_pairs(opponents_of(replacement, members.generators(), g), own_d);
  offspring.fitness.generator = finite_or_nan(g, generator_fitness(g_table, mode)[0]);
  offspring.fitness.discriminator = finite_or_nan(d, discriminator_fitness(d_table, mode)[0]);
  const bool is_usable =
      std::isfinite(offspring.fitness.generator) && std::isfinite(offspring.fitness.discriminator);
  // Who is to take the place of what cannot be used?
  if (!is_usable && !offspring.before) offspring.before = judge_members(turn, generation);
}

void Evolution::select(const Turn& turn, Offspring& offspring, Generation generation) const {
  const Subpopulation& members = turn.subpopulation;
  const Random random(settings_.seed, Purpose::kTournament, turn.cell->id, generation);
  for (const NetworkRole role : kNetworkRoles) {
    std::size_t winner = 0;
    if (selects(settings_)) {
      winner = tournament((*offspring.before)[role], members.cells(), settings_.tournament_size,
                          random, role);
    }
    Genome& selected = genome(offspring.pair, role);
    selected = genome(members.pair(winner), role);
    selected.origin = members.cells()[winner];
  }
}

void Evolution::mutate(CellId cell, Pair& offspring, Generation generation) const {
  const auto random = [&](Purpose purpose) {
    return Random(settings_.seed, purpose, cell, generation);
  };
  const RateMutation& rates = settings_.rate_mutation;
  if (rates.per == Period::kGeneration) {
    Genome& g = offspring.generator;
    g.learning_rate = mutate_rate(rates, g.learning_rate, settings_.generator.learning_rate,
                                  random(Purpose::kGeneratorRate), 0);
    Genome& d = offspring.discriminator;
    d.learning_rate = mutate_rate(rates, d.learning_rate, settings_.discriminator.learning_rate,
                                  random(Purpose::kDiscriminatorRate), 0);
  }
  const LossMutation& losses = settings_.loss_mutation;
  if (losses.per == Period::kGeneration && !losses.losses.empty()) {
    offspring.generator.loss = draw_loss(losses.losses, random(Purpose::kLossMutation), 0);
  }
}

void Evolution::replace(const Turn& turn, Offspring& offspring) const {
  Pair& centre = turn.cell->centre;
  CellReport& report = turn.cell->report;
  report.generator_rate = offspring.pair.generator.learning_rate;
  report.discriminator_rate = offspring.pair.discriminator.learning_rate;
  report.generator_objective = nn::losses()[offspring.pair.generator.loss].name;
  const auto settle_one = [&](NetworkRole role) {
    std::span<const double> before;
    if (offspring.before) before = (*offspring.before)[role];
    const ReplacementInput input{settings_.replacement, role, turn.subpopulation, before,
                                 offspring.fitness[role]};
    ReplacementResult result = settle(input, centre, offspring.pair);
    if (!result.warning.empty()) report.warnings.push_back(std::move(result.warning));
    return result;
  };
  const ReplacementResult g = settle_one(NetworkRole::kGenerator);
  const ReplacementResult d = settle_one(NetworkRole::kDiscriminator);
  report.generator_replaced = g.is_replaced;
  report.discriminator_replaced = d.is_replaced;
  report.generator_loss = g.fitness;
  report.discriminator_loss = d.fitness;
  report.generator_origin = centre.generator.origin;
  report.discriminator_origin = centre.discriminator.origin;
  warn_if_vanished(report, nn::losses()[settings_.fitness.loss]);
}

}  // namespace lipizz::coev
