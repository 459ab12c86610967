#include "setup/settings.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/host.hpp"
#include "nn/base/disk_storage.hpp"
#include "nn/exec/devices.hpp"
#include "setup/model.hpp"
#include "setup/operators.hpp"

namespace lipizz::setup {
namespace {

coev::Period period_of(const std::string& name) {
  return name == "batch" ? coev::Period::kBatch : coev::Period::kGeneration;
}

// That a learning rate is multiplied by.
double scale_of(const config::RateScaling& scaling, std::uint32_t batch_size) {
  const double ratio = static_cast<double>(batch_size) / scaling.batch;
  if (scaling.rule == "linear") return ratio;
  return scaling.rule == "sqrt" ? std::sqrt(ratio) : 1;
}

nn::DiskStorage disk_of(const config::Compute& compute) {
  const std::string& named = compute.offload_folder;
  return nn::DiskStorage(named.empty() ? temporary_folder() : named);
}

coev::NetworkSettings network_settings_of(const config::Experiment& experiment,
                                          const std::string& network) {
  const config::Training& from = config::training_of(experiment, network);
  const nn::OptimizerId optimizer = nn::find_optimizer(from.optimizer);
  return {
      .optimizer = {.kind = optimizer,
                    .beta1 = from.betas.first,
                    .beta2 = from.betas.second,
                    .beta2_change =
                        from.betas.second_end > 0 ? from.betas.second_end - from.betas.second : 0,
                    .epsilon = from.epsilon,
                    .weight_decay = from.weight_decay,
                    .clip_norm = from.clip.norm,
                    .clip_value = from.clip.value,
                    .weight_clip = from.clip.weights,
                    .mixed = {nn::parse_value_format(from.mixed_precision.format),
                              from.mixed_precision.loss_scale},
                    .zero = static_cast<nn::ZeroStage>(from.zero),
                    .moments_on_host = from.offload != "none" &&
                                       nn::cuda_index(experiment.compute.device).has_value() &&
                                       !nn::entry(optimizer).is_layerwise},
      .learning_rate = learning_rate_of(from, experiment.data.batch_size),
      .loss = nn::find_loss(from.loss),
      .steps_per_batch = from.steps.per_batch,
      .train_every = from.steps.every,
      .n_micro_batches = config::micro_batches_of(experiment, network).n,
      .moments_in = from.offload == "disk"
                        ? std::make_shared<nn::DiskStorage>(disk_of(experiment.compute))
                        : nullptr};
}

bool may_be_relativistic(const config::Experiment& from) {
  const auto is = [](const std::string& loss) {
    return nn::losses()[nn::find_loss(loss)].is_relativistic;
  };
  return is(from.generator.loss) || std::ranges::any_of(from.operators.loss_mutation.losses, is);
}

nn::StepOptions step_options_of(const config::Experiment& from) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(from.data.augmentation, name) != from.data.augmentation.end();
  };
  const std::string& penalty = from.discriminator.penalty;
  return {
      .augmentation = {has("color"), has("translation"), has("cutout")},
      .penalty = penalty == "none" ? nullptr : &nn::find_penalty(penalty),
      .penalty_weight = from.discriminator.penalty_weight,
      .penalty_change = from.discriminator.penalty_weight * (from.discriminator.penalty_end - 1),
      .l1_weight = from.generator.l1_weight,
      .average_decay = from.generator.average_decay,
      .is_relativistic = may_be_relativistic(from),
      .sync_batch_norm = from.data.sync_batch_norm};
}

}  // namespace

double learning_rate_of(const config::Training& training, std::uint32_t batch_size) {
  return training.learning_rate * scale_of(training.rate_scaling, batch_size);
}

grid::Torus torus_of(const config::Experiment& experiment) {
  return {experiment.grid.rows, experiment.grid.columns};
}

grid::Schedule schedule_of(const config::Experiment& experiment) {
  std::vector<grid::Schedule::Entry> entries;
  for (const auto& [from, name] : experiment.grid.neighbourhood) {
    entries.push_back({.from = from, .neighbourhood = &grid::find_neighbourhood(name)});
  }
  return grid::Schedule(std::move(entries));
}

void check_offload(const config::Experiment& experiment) {
  if (experiment.generator.offload != "disk" && experiment.discriminator.offload != "disk") return;
  disk_of(experiment.compute).check();
}

coev::Settings settings_of(const config::Experiment& experiment) {
  coev::Settings settings;
  settings.seed = experiment.seed;
  settings.model = model_of(experiment);
  settings.batch_size = experiment.data.batch_size;
  settings.batches_per_generation = experiment.data.batches_per_generation;
  settings.data_share = experiment.data.share;
  settings.generator = network_settings_of(experiment, "generator");
  settings.discriminator = network_settings_of(experiment, "discriminator");
  settings.steps = step_options_of(experiment);
  settings.operators.rate_mutation.per = period_of(experiment.operators.rate_mutation.per);
  settings.operators.loss_mutation.per = period_of(experiment.operators.loss_mutation.per);
  for (const std::string& name : experiment.operators.loss_mutation.losses) {
    settings.operators.loss_mutation.losses.push_back(nn::find_loss(name));
  }
  settings.operators.fitness.n_samples = experiment.operators.fitness.n_samples;
  settings.operators.fitness.measure = experiment.operators.fitness.measure == "score"
                                           ? coev::FitnessMeasure::kScore
                                           : coev::FitnessMeasure::kLoss;
  settings.operators.fitness.diversity = experiment.operators.fitness.diversity;
  settings.operators.n_offspring = experiment.operators.offspring;
  settings.operators.fitness.loss = nn::find_loss(experiment.operators.fitness.loss);
  set_operators(experiment, settings);
  settings.score = {.n_samples = experiment.score.n_samples,
                    .n_samples_training = experiment.score.n_samples_training,
                    .every = experiment.score.every};
  settings.neighbourhood = schedule_of(experiment);
  if (config::is_asynchronous(experiment))
    settings.max_staleness = experiment.exchange.max_staleness;
  return settings;
}

}  // namespace lipizz::setup
