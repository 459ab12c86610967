#include "setup/validate.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "coev/trainer.hpp"
#include "config/model.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "data/dataset.hpp"
#include "metrics/scorer.hpp"
#include "setup/model.hpp"
#include "setup/operators.hpp"
#include "setup/resolve.hpp"
#include "setup/samples.hpp"
#include "setup/setting_rules.hpp"
#include "setup/settings.hpp"

namespace lipizz::setup {
namespace {

// Each number may be in range and all together beyond every machine.
void check_step(const config::Experiment& experiment) {
  constexpr std::size_t kMostBytes = 1'000'000'000'000;
  std::size_t n_bytes = 0;
  try {
    n_bytes = coev::Trainer::bytes(settings_of(experiment), nn::Engine{}).total();
  } catch (const InternalError& error) {
    throw ConfigError(std::string("model: no training step can be made: ") + error.what());
  }
  if (n_bytes <= kMostBytes) return;
  throw ConfigError("data.batch_size: a training step with " +
                    std::to_string(experiment.data.batch_size) + " samples takes " +
                    std::to_string(n_bytes / 1'000'000'000) +
                    " GB with this model; choose a smaller batch, more micro-batches "
                    "(without data.sync_batch_norm) or another model");
}

void check_engine(const config::Experiment& experiment) {
  if (experiment.compute.engine != "reference" || experiment.compute.convolution_table.empty())
    return;
  throw ConfigError(
      "convolution_table: engine reference computes convolutions in one way only; use engine "
      "onednn, or no table");
}

// The settings of files are those that the dataset reads; the others are as they were.
void check_files(const config::OwnData& own, const data::DatasetEntry& dataset) {
  const std::string name(dataset.name);
  const bool is_own = dataset.origin == data::Origin::kPath;
  if (is_own && own.path.empty()) {
    throw ConfigError("data.path: the dataset " + name +
                      " is yours: name its folder or file with --data-path");
  }
  const config::OwnData unset;
  const auto check = [&](std::string_view setting, bool is_set, bool is_read) {
    if (!is_set || is_read) return;
    throw ConfigError("data." + std::string(setting) + ": the dataset " + name +
                      " does not read it; leave it out" +
                      (is_own ? "" : ", or learn from files of yours: `lipizz list datasets`"));
  };
  const auto reads = [&](std::string_view setting) {
    return std::ranges::find(dataset.reads, setting) != dataset.reads.end();
  };
  check("path", own.path != unset.path, is_own);
  check("shape", own.shape != unset.shape, is_own);
  check("classes", own.classes != unset.classes, is_own);
  check("field", own.field != unset.field, reads("field"));
  check("range", own.range != unset.range, reads("range"));
  check("size", own.size != unset.size, reads("size"));
  check("fit", own.fit != unset.fit, reads("fit"));
  check("channels", own.channels != unset.channels, reads("channels"));
  check("condition", own.condition != unset.condition, reads("condition"));
  check("test_share", own.test_share != unset.test_share, reads("test_share"));
  if (own.channels == 2) throw ConfigError("data.channels: expected 1 or 3, found 2");
}

// The samples have what the settings ask of them.
void check_dataset(const config::Experiment& experiment, const data::SampleForm& form) {
  metrics::find_metric(experiment.score.metric, form);
  if (experiment.data.class_conditional && form.n_classes == 0) {
    throw ConfigError("class_conditional: " + experiment.data.dataset + " has no classes");
  }
  if (!experiment.data.augmentation.empty() && form.kind != data::SampleKind::kImage) {
    throw ConfigError("augmentation: " + experiment.data.dataset + " has no images");
  }
}

// The model makes samples like those of the dataset.
void check_model(const config::Experiment& experiment, const data::SampleForm& form) {
  const std::string fitting = "; use \"" + fitting_model(experiment, form) + "\"";
  nn::GanSpec made;
  try {
    made = model_of(experiment);
  } catch (const ConfigError& error) {
    if (experiment.model.is_written_out()) throw;  // it names a place in what was written
    throw ConfigError(std::string("model: ") + error.what() + fitting);
  }
  const nn::ModelSamples wanted = model_samples(experiment, form);
  if (made.sample() == form.shape.size() &&
      made.n_condition_channels == wanted.n_condition_channels) {
    return;
  }
  throw ConfigError("model: expected one for samples of " + nn::describe(wanted) + ", as " +
                    experiment.data.dataset + " has, found " +
                    shortened(config::model_text(experiment.model)) + " for " +
                    nn::describe({.shape = made.discriminator.inputs,
                                  .n_condition_channels = made.n_condition_channels}) +
                    fitting);
}

void check_stages(const config::Experiment& experiment) {
  const std::size_t n_stages = experiment.compute.pipeline.stages;
  const std::size_t most = most_stages(experiment, model_of(experiment));
  if (n_stages <= most) return;
  throw ConfigError("pipeline.stages: expected at most " + std::to_string(most) +
                    ", the layers of a network; found " + std::to_string(n_stages) +
                    "; generator.stages and discriminator.stages cut one into fewer");
}

}  // namespace

void validate(const config::Experiment& experiment) {
  check_settings(experiment);
  check_files(experiment.data.own, data::find_dataset(experiment.data.dataset));
  const auto form = form_of(experiment);
  if (form) check_dataset(experiment, *form);
  const config::Experiment meant = resolved(experiment);
  check_engine(meant);
  check_neighbours(schedule_of(meant), torus_of(meant));
  if (!form) return;
  check_model(meant, *form);
  check_stages(meant);
  check_step(meant);
}

void check_samples(const config::Experiment& experiment, std::uint32_t n_train) {
  const auto n = static_cast<std::uint32_t>(experiment.data.share * n_train);
  if (n >= experiment.data.batch_size) return;
  throw ConfigError("data.batch_size: expected at most the " + std::to_string(n) +
                    " training samples" + (n < n_train ? " that data.share leaves a cell" : "") +
                    ", found " + std::to_string(experiment.data.batch_size));
}

}  // namespace lipizz::setup
