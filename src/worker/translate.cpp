#include "worker/translate.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "config/check.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "data/dataset.hpp"
#include "nn/cpu/numerics.hpp"
#include "worker/model.hpp"

namespace lipizz::worker {
namespace {

template <class Value, std::size_t n>
Value find(const std::array<std::pair<std::string_view, Value>, n>& table, std::string_view name,
           std::string_view setting) {
  std::vector<std::string> names;
  for (const auto& [known, value] : table) {
    if (known == name) return value;
    names.emplace_back(known);
  }
  throw ConfigError(std::string(setting) + ": there is no \"" + std::string(name) + "\"" +
                    suggestion(name, names));
}

using Kind = coev::RateMutationKind;
constexpr std::array<std::pair<std::string_view, Kind>, 3> kRateMutations{
    {{"none", Kind::kNone}, {"gaussian", Kind::kGaussian}, {"log-normal", Kind::kLogNormal}}};
constexpr std::array<std::pair<std::string_view, coev::Period>, 2> kPeriods{
    {{"batch", coev::Period::kBatch}, {"generation", coev::Period::kGeneration}}};
constexpr std::array<std::pair<std::string_view, coev::FitnessMode>, 3> kFitnessModes{
    {{"average", coev::FitnessMode::kAverage},
     {"worst", coev::FitnessMode::kWorst},
     {"best", coev::FitnessMode::kBest}}};
constexpr std::array<std::pair<std::string_view, coev::Replacement>, 2> kReplacements{
    {{"elitist", coev::Replacement::kElitist}, {"generational", coev::Replacement::kGenerational}}};

coev::Training training_of(const config::Training& from) {
  return {.optimizer = {.kind = nn::find_optimizer(from.optimizer).kind,
                        .beta1 = from.beta1,
                        .beta2 = from.beta2,
                        .epsilon = from.epsilon,
                        .clip = from.clip},
          .learning_rate = from.learning_rate,
          .loss = nn::find_loss(from.loss),
          .steps_per_batch = from.steps_per_batch,
          .train_every = from.train_every};
}

nn::StepOptions step_options_of(const config::Experiment& from) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(from.augmentation, name) != from.augmentation.end();
  };
  const std::string& penalty = from.discriminator.penalty;
  return {.augmentation = {has("color"), has("translation"), has("cutout")},
          .penalty = penalty == "none" ? nullptr : &nn::find_penalty(penalty),
          .penalty_weight = from.discriminator.penalty_weight,
          .l1_weight = from.generator.l1_weight,
          .average_decay = from.generator.average_decay};
}

coev::RateMutation rate_mutation_of(const config::RateMutation& from) {
  return {.kind = find(kRateMutations, from.kind, "rate_mutation.kind"),
          .alpha = from.alpha,
          .probability = from.probability,
          .per = find(kPeriods, from.per, "rate_mutation.per")};
}

coev::LossMutation loss_mutation_of(const config::LossMutation& from) {
  coev::LossMutation to;
  for (const std::string& name : from.losses) to.losses.push_back(nn::find_loss(name));
  to.per = find(kPeriods, from.per, "loss_mutation.per");
  return to;
}

}  // namespace

grid::Torus torus_of(const config::Experiment& experiment) {
  return {experiment.grid.rows, experiment.grid.columns};
}

grid::Schedule schedule_of(const config::Experiment& experiment) {
  std::vector<grid::Schedule::Entry> entries;
  for (const auto& [from, name] : experiment.neighbourhood) {
    entries.push_back({from, &grid::find_neighbourhood(name)});
  }
  return grid::Schedule(std::move(entries));
}

coev::Settings settings_of(const config::Experiment& experiment) {
  coev::Settings settings;
  settings.seed = experiment.seed;
  settings.model = model_of(experiment);
  settings.batch_size = experiment.data.batch_size;
  settings.batches_per_generation = experiment.data.batches_per_generation;
  settings.generator = training_of(experiment.generator);
  settings.discriminator = training_of(experiment.discriminator);
  settings.steps = step_options_of(experiment);
  settings.partner_share = experiment.partner_share;
  settings.rate_mutation = rate_mutation_of(experiment.rate_mutation);
  settings.loss_mutation = loss_mutation_of(experiment.loss_mutation);
  settings.fitness = {.n_samples = experiment.fitness.n_samples,
                      .mode = find(kFitnessModes, experiment.fitness.mode, "fitness.mode"),
                      .loss = nn::find_loss(experiment.fitness.loss)};
  settings.tournament_size = experiment.selection.tournament_size;
  settings.replacement = find(kReplacements, experiment.replacement, "replacement");
  settings.mixture = {.evolve = experiment.mixture.evolve,
                      .sigma = experiment.mixture.sigma,
                      .tries = experiment.mixture.tries};
  settings.score = {.n_samples = experiment.score.n_samples,
                    .n_samples_training = experiment.score.n_samples_training,
                    .every = experiment.score.every};
  settings.neighbourhood = schedule_of(experiment);
  if (config::is_asynchronous(experiment)) settings.max_staleness = experiment.max_staleness;
  return settings;
}

config::Experiment resolved(config::Experiment experiment) {
  if (experiment.model.name == "auto") {
    experiment.model.name = data::find_dataset(experiment.data.dataset).model;
  }
  if (experiment.engine == "auto") {
    const bool has_onednn = nn::is_available(nn::Backend::kOneDnn);
    experiment.engine = to_string(has_onednn ? nn::Backend::kOneDnn : nn::Backend::kReference);
  }
  if (!nn::is_available(nn::parse_backend(experiment.engine))) {
    throw ConfigError("engine: this build has no " + experiment.engine + "; use reference");
  }
  if (experiment.engine == "reference" && !experiment.convolution_table.empty()) {
    throw ConfigError(
        "convolution_table: engine reference computes convolutions in one way only; use engine "
        "onednn, or no table");
  }
  return experiment;
}

nn::Engine engine_of(const config::Experiment& experiment, std::string_view numerics,
                     const nn::ConvolutionTable& convolutions) {
  return {nn::parse_backend(experiment.engine), nn::parse_numerics_level(numerics), &convolutions};
}

nn::ConvolutionTable convolutions_of(const config::Experiment& experiment) {
  const std::string& file = experiment.convolution_table;
  nn::ConvolutionTable table =
      file.empty() ? nn::ConvolutionTable::committed() : nn::ConvolutionTable::read(file);
  const std::string hash = to_hex(table.hash());
  const std::string& wanted = experiment.convolution_table_hash;
  if (!wanted.empty() && wanted != hash) {
    throw ConfigError("convolution_table: expected the table with hash " + wanted + ", found " +
                      (file.empty() ? "this build's own" : file) + " with " + hash +
                      "; name the file of the one that was used");
  }
  return table;
}

std::vector<std::string> numerics_levels(const config::Experiment& experiment) {
  using enum nn::NumericsLevel;
  const bool is_reference = nn::parse_backend(experiment.engine) == nn::Backend::kReference;
  const nn::NumericsLevel highest = is_reference ? kBaseline : nn::detect_numerics_level();
  std::vector<std::string> names;
  for (const nn::NumericsLevel level : {kBaseline, kAvx2, kAvx512}) {
    if (level <= highest) names.emplace_back(to_string(level));
  }
  return names;
}

}  // namespace lipizz::worker
