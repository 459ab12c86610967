#include "setup/operators.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "comm/protocol.hpp"
#include "config/fields.hpp"
#include "core/error.hpp"
#include "metrics/manifold.hpp"

namespace lipizz::setup {
namespace {

coev::Configured<coev::Selection> selection_of(const config::Experiment& experiment) {
  return configured(coev::selections(), experiment.operators.selection, "selection");
}

coev::Configured<coev::Recombination> recombination_of(const config::Experiment& experiment) {
  return configured(coev::recombinations(), experiment.operators.recombination, "recombination");
}

// The operator that trains on with neighbours' moments, and how; empty where none does.
std::string need_of_moments(const config::Experiment& experiment) {
  const coev::Selection& selection = *selection_of(experiment);
  const coev::Recombination& recombination = *recombination_of(experiment);
  if (selection.copies_neighbours) {
    return "selection " + std::string(selection.name) +
           " may copy a neighbour and trains on with its moments";
  }
  if (recombination.mixes) {
    return "recombination " + std::string(recombination.name) +
           " takes the mean of neighbours and their moments";
  }
  return {};
}

config::Operator migration_of(const config::Experiment& experiment) {
  if (experiment.operators.migration.kind != "auto") return experiment.operators.migration;
  return {need_of_moments(experiment).empty() ? "parameters" : "genomes",
          experiment.operators.migration.parameters};
}

void check_migration(const config::Experiment& experiment, const coev::Migration& migration) {
  const std::string need = need_of_moments(experiment);
  if (need.empty() || migration.moments == coev::Moments::kTravel) return;
  throw ConfigError("migration: expected genomes or auto, since " + need + "; found " +
                    std::string(migration.name));
}

void check_behaviours(const coev::Selection& selection, const std::string& measure) {
  if (!selection.compares_behaviours || measure == "score") return;
  throw ConfigError(
      "fitness.measure: expected score, since selection " + std::string(selection.name) +
      " compares pairs by their samples, which a score is taken of; found " + measure);
}

void check_recall(const coev::MixtureWeighting& mixture, std::uint32_t n_samples) {
  constexpr auto kNearest = metrics::kManifoldNeighbours;
  if (mixture.measure != coev::MixtureMeasure::kRecall || n_samples > kNearest) return;
  throw ConfigError("score.n_samples_training: expected at least " + std::to_string(kNearest + 1) +
                    ", since mixture " + std::string(mixture.name) + " looks at the " +
                    std::to_string(kNearest) + " nearest of each; found " +
                    std::to_string(n_samples));
}

// A setting of a schedule's end, where it is set, needs a schedule that comes to one.
void check_end(bool is_set, const coev::TrainingSchedule& schedule, const std::string& network,
               const std::string& setting) {
  if (!is_set || schedule.progresses) return;
  throw ConfigError(network + "." + setting + ": nothing comes to an end with " + network +
                    ".schedule " + std::string(schedule.name) +
                    "; choose another, or leave it out");
}

void check_losses(const coev::LossMutationSettings& settings) {
  const std::string name(settings.mutation->name);
  if (settings.mutation->chooses && settings.losses.empty()) {
    throw ConfigError("loss_mutation.losses: expected at least one for loss_mutation " + name +
                      " to choose from, found none");
  }
  if (!settings.mutation->chooses && !settings.losses.empty()) {
    throw ConfigError("loss_mutation.losses: expected none, since loss_mutation " + name +
                      " chooses none, found " + std::to_string(settings.losses.size()) +
                      "; set loss_mutation.kind to uniform, or leave them out");
  }
}

void check_fitness(const coev::FitnessSettings& settings) {
  if (settings.measure == coev::FitnessMeasure::kLoss || settings.diversity == 0) return;
  throw ConfigError(
      "fitness.diversity: expected 0 with fitness.measure score, which knows diversity already; "
      "leave it out, or set fitness.measure to loss");
}

}  // namespace

config::OperatorTables operator_tables() {
  using coev::declarations_of;
  return {{"selections", declarations_of(coev::selections())},
          {"recombinations", declarations_of(coev::recombinations())},
          {"replacements", declarations_of(coev::replacements())},
          {"fitness-aggregations", declarations_of(coev::fitness_aggregations())},
          {"rate-mutations", declarations_of(coev::rate_mutations())},
          {"loss-mutations", declarations_of(coev::loss_mutations())},
          {"opponents", declarations_of(coev::opponents())},
          {"training-schedules", declarations_of(coev::training_schedules())},
          {"migrations", declarations_of(coev::migrations())},
          {"mixture-weightings", declarations_of(coev::mixture_weightings())}};
}

config::Experiment with_complete_operators(config::Experiment experiment) {
  experiment.operators.migration = migration_of(experiment);
  const config::OperatorTables tables = operator_tables();
  for (const config::Field& field : config::fields(experiment)) {
    if (config::Operator* const* chosen = std::get_if<config::Operator*>(&field.value)) {
      **chosen = config::completed(**chosen, tables.find(field.kind)->second, field.path);
    }
  }
  return experiment;
}

void set_operators(const config::Experiment& from, coev::Settings& to) {
  to.operators.selection = selection_of(from);
  to.operators.recombination = recombination_of(from);
  to.operators.replacement =
      configured(coev::replacements(), from.operators.replacement, "replacement");
  to.operators.fitness.aggregation = configured(
      coev::fitness_aggregations(), from.operators.fitness.aggregation, "fitness.aggregation");
  to.operators.rate_mutation.mutation =
      configured(coev::rate_mutations(), from.operators.rate_mutation.mutation, "rate_mutation");
  to.operators.loss_mutation.mutation =
      configured(coev::loss_mutations(), from.operators.loss_mutation.mutation, "loss_mutation");
  to.generator.opponents =
      configured(coev::opponents(), from.generator.opponents, "generator.opponents");
  to.discriminator.opponents =
      configured(coev::opponents(), from.discriminator.opponents, "discriminator.opponents");
  to.generator.schedule =
      configured(coev::training_schedules(), from.generator.schedule, "generator.schedule");
  to.discriminator.schedule =
      configured(coev::training_schedules(), from.discriminator.schedule, "discriminator.schedule");
  const coev::TrainingSchedule& of_generator = *to.generator.schedule;
  const coev::TrainingSchedule& of_discriminator = *to.discriminator.schedule;
  check_end(from.generator.betas.second_end != 0, of_generator, "generator", "beta2_end");
  check_end(from.discriminator.betas.second_end != 0, of_discriminator, "discriminator",
            "beta2_end");
  check_end(from.discriminator.penalty_end != 1, of_discriminator, "discriminator", "penalty_end");
  to.operators.migration = configured(coev::migrations(), migration_of(from), "migration");
  to.operators.mixture = configured(coev::mixture_weightings(), from.operators.mixture, "mixture");
  check_migration(from, *to.operators.migration);
  check_behaviours(*to.operators.selection, from.operators.fitness.measure);
  check_recall(*to.operators.mixture, from.score.n_samples_training);
  check_losses(to.operators.loss_mutation);
  check_fitness(to.operators.fitness);
}

void check_neighbours(const grid::Schedule& schedule, const grid::Torus& torus) {
  for (const grid::Schedule::Entry& entry : schedule.entries()) {
    const std::size_t n = entry.neighbourhood->neighbours(torus, CellId{0}).size();
    if (n <= comm::kMaxDirections) continue;
    throw ConfigError("neighbourhood: expected at most " + std::to_string(comm::kMaxDirections) +
                      " neighbours, as many as a publication's tag can tell apart; found " +
                      std::to_string(n) + " in " + std::string(entry.neighbourhood->name) +
                      " on a grid of " + std::to_string(torus.rows) + "x" +
                      std::to_string(torus.columns) + "; use a smaller neighbourhood");
  }
}

}  // namespace lipizz::setup
