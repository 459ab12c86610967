#include "coev/evolution.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "coev/centre_replacement.hpp"
#include "coev/offspring_seed.hpp"
#include "coev/recombine.hpp"
#include "coev/shared_training.hpp"
#include "core/bytes.hpp"
#include "core/check.hpp"
#include "nn/base/collectives.hpp"

namespace lipizz::coev {
namespace {

// Below this a discriminator tells real from generated almost surely, and generators learn nothing.
constexpr double kVanishedLoss = 1e-3;

using NetworkList = std::vector<std::span<const float>>;

// A loss without a lower bound says nothing by being small.
bool is_at_least_zero(const nn::Loss& loss) {
  constexpr float kFar = 1000;
  return loss.real.value(kFar) >= 0 && loss.fake.value(-kFar) >= 0;
}

// True when no update could be made, and none will be with the next loss scale.
bool is_stuck(const LeftOut& left_out, const Genome& offspring) {
  const bool can_fall =
      !offspring.loss_scale.empty() && offspring.loss_scale[0] > nn::LossScale::kLeast;
  return left_out.n == left_out.n_tried && !can_fall;
}

// True where it is stuck.
bool warn_of_left_out(CellReport& report, const LeftOut& left_out, const Genome& offspring,
                      NetworkRole role) {
  if (left_out.n == 0) return false;
  std::string text = std::string(to_string(role)) + ": left out " + std::to_string(left_out.n) +
                     " of " + std::to_string(left_out.n_tried) +
                     " updates, since gradients were not finite";
  if (!offspring.loss_scale.empty()) {
    text += "; its loss scale is " +
            std::to_string(static_cast<std::uint64_t>(offspring.loss_scale[0])) + " now";
  }
  const bool is_so = is_stuck(left_out, offspring);
  if (is_so) text += "; lower " + std::string(to_string(role)) + ".learning_rate or .loss_scale";
  report.warnings.push_back(std::move(text));
  return is_so;
}

void warn_if_vanished(CellReport& report, const nn::Loss& loss) {
  if (!is_at_least_zero(loss) || !(report.discriminator.loss < kVanishedLoss)) return;
  report.warnings.push_back("discriminator loss is " + std::to_string(report.discriminator.loss) +
                            ": it leaves the generators nothing to learn from");
}

}  // namespace

Evolution::Evolution(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
                     metrics::Scorer& scorer, std::uint32_t n_cells)
    : settings_(settings),
      device_(device),
      evaluator_(device, settings, dataset),
      trainer_(device, settings, dataset, n_cells),
      broods_(n_cells) {
  if (settings.operators.fitness.measure == FitnessMeasure::kScore) {
    score_fitness_.emplace(device, settings, dataset, scorer);
  }
  if (settings.operators.fitness.diversity > 0) diversity_.emplace(device, settings, dataset);
}

bool Evolution::Offspring::is_usable() const {
  return std::isfinite(fitness.generator) && std::isfinite(fitness.discriminator);
}

void Evolution::run(std::span<const EvolutionJob> group, Generation generation,
                    const std::function<void(CellId)>& on_decided,
                    const std::function<bool()>& keep_going) {
  LIPIZZ_ASSERT(group.size() == broods_.size());
  for (std::size_t i = 0; i < group.size(); ++i) begin(group[i], broods_[i], generation);
  for (std::uint32_t number = 0; number < settings_.operators.n_offspring; ++number) {
    breed(group, generation, number, keep_going);
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    end(group[i], broods_[i], generation);
    on_decided(group[i].cell->id);
  }
}

void Evolution::begin(const EvolutionJob& job, Brood& brood, Generation generation) {
  Cell& cell = *job.cell;
  begin_report(cell, generation);
  brood.before.reset();
  if (evaluates_members(settings_.operators, generation)) {
    timed(cell.times, Routine::kEvaluate,
          [&] { brood.before = evaluate_members(job, generation); });
  }
}

Evolution::Offspring& Evolution::in_training(Brood& brood, std::uint32_t number) {
  return number == 0 ? brood.best : brood.next;
}

// One offspring of each cell; it becomes the best so far if it is.
void Evolution::breed(std::span<const EvolutionJob> group, Generation generation,
                      std::uint32_t number, const std::function<bool()>& keep_going) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    Cell& cell = *group[i].cell;
    timed(cell.times, Routine::kUpdateGenomes,
          [&] { select(group[i], broods_[i], generation, number); });
    timed(cell.times, Routine::kMutate,
          [&] { mutate(cell.id, in_training(broods_[i], number).pair, generation, number); });
  }
  train(group, generation, number, keep_going);
  for (std::size_t i = 0; i < group.size(); ++i) {
    auto& [before, best, next] = broods_[i];
    timed(group[i].cell->times, Routine::kEvaluate,
          [&] { evaluate_offspring(group[i], in_training(broods_[i], number), generation); });
    if (number == 0 || !next.is_usable()) continue;
    if (!best.is_usable() || next.fitness.generator < best.fitness.generator) {
      std::swap(best, next);
    }
  }
}

void Evolution::train(std::span<const EvolutionJob> group, Generation generation,
                      std::uint32_t number, const std::function<bool()>& keep_going) {
  std::vector<TrainingJob> jobs;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Cell& cell = *group[i].cell;
    jobs.push_back({cell.id, &in_training(broods_[i], number).pair, &group[i].subpopulation,
                    &cell.history, number});
  }
  nn::Collectives* const ranks = device_.collectives();
  const bool is_shared = ranks != nullptr && ranks->size() > 1;
  RoutineTimes spent;
  if (is_shared) {
    timed(spent, Routine::kTrain, [&] { share_training(device_, settings_, jobs, generation); });
  }
  trainer_.train(jobs, generation, keep_going, spent);
  if (is_shared) {
    timed(spent, Routine::kTrain, [&] { gather_training(device_, settings_, jobs); });
  }
  for (std::uint32_t i = 0; i < group.size(); ++i) {
    in_training(broods_[i], number).left_out = trainer_.left_out(i);
  }
  for (const EvolutionJob& job : group) {
    for (const Routine routine : {Routine::kTrain, Routine::kMutate}) {
      job.cell->times.add(routine, spent.seconds(routine) / static_cast<double>(group.size()));
    }
  }
}

void Evolution::end(const EvolutionJob& job, Brood& brood, Generation generation) {
  Cell& cell = *job.cell;
  // Replacement asks which neighbour is to take the place of what cannot be used.
  if (!brood.best.is_usable() && !brood.before) {
    timed(cell.times, Routine::kEvaluate,
          [&] { brood.before = evaluate_members(job, generation); });
  }
  timed(cell.times, Routine::kUpdateGenomes, [&] { replace(job, brood); });
  cell.generation = generation;
  remember(settings_, cell.centre, generation, cell.history);
  brood = {};
}

Evolution::MemberFitness Evolution::evaluate_members(const EvolutionJob& job,
                                                     Generation generation) {
  if (score_fitness_) return scores_of_members(job, generation);
  const Subpopulation& members = job.subpopulation;
  evaluator_.draw_batch(job.cell->id, generation, settings_.operators.fitness.n_samples);
  const PairLosses losses = evaluator_.all_pairs(members.generators(), members.discriminators());
  MemberFitness fitness{
      {.generator = generator_fitness(losses, settings_.operators.fitness.aggregation),
       .discriminator = discriminator_fitness(losses, settings_.operators.fitness.aggregation)}};
  for (std::size_t member = 0; member < members.size(); ++member) {
    fitness.generator[member] -= diversity_of(members.generators()[member], generation);
  }
  return fitness;
}

Evolution::MemberFitness Evolution::scores_of_members(const EvolutionJob& job,
                                                      Generation generation) {
  MemberFitness fitness;
  for (std::size_t member = 0; member < job.subpopulation.size(); ++member) {
    const Pair& pair = job.subpopulation.pair(member);
    auto [score, behaviour] = score_fitness_->with_behaviour(sampled(pair.generator), generation);
    fitness.generator.push_back(score);
    if (settings_.operators.selection->compares_behaviours) {
      fitness.behaviours.push_back(std::move(behaviour));
    }
  }
  fitness.discriminator = fitness.generator;
  return fitness;
}

void Evolution::evaluate_offspring(const EvolutionJob& job, Offspring& offspring,
                                   Generation generation) {
  const auto& [g, d] = offspring.pair;
  const PerRole<bool> are_finite{is_finite(g), is_finite(d)};
  PerRole<double> fitness;
  if (score_fitness_) {
    fitness.generator = score_fitness_->of(sampled(g), generation);
    fitness.discriminator = fitness.generator;
  } else {
    fitness = losses_of_offspring(job, offspring.pair, are_finite, generation);
  }
  for (const NetworkRole role : kNetworkRoles) {
    offspring.fitness[role] =
        are_finite[role] ? fitness[role] : std::numeric_limits<double>::quiet_NaN();
  }
}

// As it counts in a generator's fitness.
double Evolution::diversity_of(std::span<const float> generator, Generation generation) {
  if (!diversity_) return 0;
  return settings_.operators.fitness.diversity * diversity_->of(generator, generation);
}

// An offspring that is compared, with its centre or with others of the cell, meets the opponents
// that the centre has met. One that is only told of meets its own partner, which costs little; the
// centre's partner of before the training where its own is not finite.
PerRole<double> Evolution::losses_of_offspring(const EvolutionJob& job, const Pair& offspring,
                                               const PerRole<bool>& are_finite,
                                               Generation generation) {
  const Configured<FitnessAggregation>& aggregation = settings_.operators.fitness.aggregation;
  const auto& [g, d] = offspring;
  const Subpopulation& members = job.subpopulation;
  const auto fitness = [&](const PairLosses& of_generator, const PairLosses& of_discriminator) {
    return PerRole<double>{
        generator_fitness(of_generator, aggregation)[0] - diversity_of(g.parameters, generation),
        discriminator_fitness(of_discriminator, aggregation)[0]};
  };
  evaluator_.draw_batch(job.cell->id, generation, n_offspring_samples(settings_));
  if (!compares_offspring(settings_.operators)) {
    const NetworkList one_g{are_finite.generator ? g.parameters : members.generators()[0]};
    const NetworkList one_d{are_finite.discriminator ? d.parameters : members.discriminators()[0]};
    const PairLosses losses = evaluator_.all_pairs(one_g, one_d);
    return fitness(losses, losses);
  }
  const NetworkList own_g{g.parameters};
  const NetworkList own_d{d.parameters};
  const PairLosses g_losses = evaluator_.all_pairs_on_fakes(own_g, members.discriminators());
  return fitness(g_losses, evaluator_.all_pairs(members.generators(), own_d));
}

void Evolution::select(const EvolutionJob& job, Brood& brood, Generation generation,
                       std::uint32_t number) const {
  const Subpopulation& members = job.subpopulation;
  const Random random(seed_of_offspring(settings_.seed, number), Purpose::kSelection, job.cell->id,
                      generation);
  Pair& offspring = in_training(brood, number).pair;
  const Selection& selection = *settings_.operators.selection;
  const Configured<Recombination>& recombination = settings_.operators.recombination;
  // A score is that of a pair, which is not to be torn apart.
  const bool selects_pairs = selection.selects_pairs || score_fitness_.has_value();
  for (const NetworkRole role : kNetworkRoles) {
    const NetworkRole asked = selects_pairs ? NetworkRole::kGenerator : role;
    std::span<const double> fitness;
    std::span<const Behaviour> behaviours;
    if (brood.before) {
      fitness = (*brood.before)[asked];
      behaviours = brood.before->behaviours;
    }
    const SelectionInput input{fitness, members.cells(), random, asked, generation, behaviours};
    const std::size_t member = selection.select(input, settings_.operators.selection.values());
    std::vector<double> weights(members.size());
    weights[member] = 1;
    recombination->weigh({member, generation}, recombination.values(), weights);
    recombine(members, role, member, weights, genome(offspring, role));
  }
}

void Evolution::mutate(CellId cell, Pair& offspring, Generation generation,
                       std::uint32_t number) const {
  const std::uint64_t seed = seed_of_offspring(settings_.seed, number);
  const PerRole<Purpose> rate_purposes{Purpose::kGeneratorRate, Purpose::kDiscriminatorRate};
  const auto& [rate_mutation, rate_period] = settings_.operators.rate_mutation;
  for (const NetworkRole role : kNetworkRoles) {
    if (rate_period != Period::kGeneration) break;
    double& rate = genome(offspring, role).learning_rate;
    const Random random(seed, rate_purposes[role], cell, generation);
    const double initial_rate = network_settings(settings_, role).learning_rate;
    const bool is_copy = genome(offspring, role).origin != cell;
    rate = rate_mutation->mutate({rate, initial_rate, random, 0, is_copy}, rate_mutation.values());
  }
  const auto& [loss_mutation, losses, loss_period] = settings_.operators.loss_mutation;
  if (loss_period != Period::kGeneration) return;
  const Random random(seed, Purpose::kLossMutation, cell, generation);
  nn::LossId& loss = offspring.generator.loss;
  loss = loss_mutation->mutate({loss, losses, random, 0, number}, loss_mutation.values());
}

bool Evolution::tell_of_left_out(const Offspring& offspring, CellReport& report) {
  report.generator.n_skipped = offspring.left_out.generator.n;
  report.discriminator.n_skipped = offspring.left_out.discriminator.n;
  bool is_one_stuck = false;
  for (const NetworkRole role : kNetworkRoles) {
    is_one_stuck |=
        warn_of_left_out(report, offspring.left_out[role], genome(offspring.pair, role), role);
  }
  return is_one_stuck;
}

void Evolution::replace(const EvolutionJob& job, Brood& brood) const {
  Pair& centre = job.cell->centre;
  Offspring& offspring = brood.best;
  CellReport& report = job.cell->report;
  report.generator.rate = offspring.pair.generator.learning_rate;
  report.discriminator.rate = offspring.pair.discriminator.learning_rate;
  report.generator.objective = nn::losses()[offspring.pair.generator.loss].name;
  const bool has_none_made = tell_of_left_out(offspring, report);
  const auto replace_one = [&](NetworkRole role) {
    std::span<const double> before;
    if (brood.before) before = (*brood.before)[role];
    const ReplacementInput input{settings_.operators.replacement, role, job.subpopulation, before,
                                 offspring.fitness[role]};
    ReplacementResult result = replace_centre(input, centre, offspring.pair);
    if (!result.warning.empty()) report.warnings.push_back(std::move(result.warning));
    return result;
  };
  const ReplacementResult g = replace_one(NetworkRole::kGenerator);
  const ReplacementResult d = replace_one(NetworkRole::kDiscriminator);
  report.generator.is_replaced = g.is_replaced;
  report.discriminator.is_replaced = d.is_replaced;
  report.generator.is_copied = g.is_copied;
  report.discriminator.is_copied = d.is_copied;
  report.has_diverged = has_none_made || !offspring.is_usable();
  report.generator.loss = g.fitness;
  report.discriminator.loss = d.fitness;
  report.generator.origin = centre.generator.origin;
  report.discriminator.origin = centre.discriminator.origin;
  if (!score_fitness_) warn_if_vanished(report, nn::losses()[settings_.operators.fitness.loss]);
}

}  // namespace lipizz::coev
