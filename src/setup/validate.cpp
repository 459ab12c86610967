#include "setup/validate.hpp"

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
#include "setup/setting_rules.hpp"
#include "setup/settings.hpp"

namespace lipizz::setup {
namespace {

// Each number may be in range and all together beyond every machine.
void check_step(const config::Experiment& experiment) {
  constexpr std::size_t kMostBytes = 1'000'000'000'000;
  std::size_t n_bytes = 0;
  try {
    n_bytes = coev::Trainer::bytes(settings_of(experiment), nn::Engine{});
  } catch (const InternalError& error) {
    throw ConfigError(std::string("model: no training step can be made: ") + error.what());
  }
  if (n_bytes <= kMostBytes) return;
  throw ConfigError("data.batch_size: a training step with " +
                    std::to_string(experiment.data.batch_size) + " samples takes " +
                    std::to_string(n_bytes / 1'000'000'000) +
                    " GB with this model; choose a smaller batch or another model");
}

std::string describe(const nn::GanSpec& model) {
  std::string text = std::to_string(model.sample()) + " values per sample";
  if (model.n_condition_channels == 0) return text;
  return text + ", " + std::to_string(model.n_condition_channels) + " of its channels given";
}

void check_engine(const config::Experiment& experiment) {
  if (experiment.compute.engine != "reference" || experiment.compute.convolution_table.empty())
    return;
  throw ConfigError(
      "convolution_table: engine reference computes convolutions in one way only; use engine "
      "onednn, or no table");
}

// The dataset's samples have what the settings ask of them.
void check_dataset(const config::Experiment& experiment, const data::DatasetEntry& dataset) {
  metrics::find_metric(experiment.score.metric, dataset.kind, dataset.n_classes);
  if (experiment.data.class_conditional && dataset.n_classes == 0) {
    throw ConfigError("class_conditional: " + experiment.data.dataset + " has no classes");
  }
  if (!experiment.data.augmentation.empty() && dataset.kind != data::SampleKind::kImage) {
    throw ConfigError("augmentation: " + experiment.data.dataset + " has no images");
  }
}

// The model's samples have the shape of those of the dataset's own model.
void check_model(const config::Experiment& experiment, const data::DatasetEntry& dataset) {
  const std::string fitting(dataset.model);
  const nn::GanSpec wanted = nn::make_model(fitting);
  const nn::GanSpec made = model_of(experiment);
  if (made.sample() == wanted.sample() &&
      made.n_condition_channels == wanted.n_condition_channels) {
    return;
  }
  throw ConfigError("model: expected one with " + describe(wanted) + ", as " +
                    experiment.data.dataset + " has, found " +
                    shortened(config::model_text(experiment.model)) + " with " + describe(made) +
                    "; use \"" + fitting + "\"");
}

}  // namespace

void validate(const config::Experiment& experiment) {
  check_settings(experiment);
  const data::DatasetEntry& dataset = data::find_dataset(experiment.data.dataset);
  check_dataset(experiment, dataset);
  const config::Experiment meant = resolved(experiment);
  check_engine(meant);
  check_model(meant, dataset);
  check_neighbours(schedule_of(meant), torus_of(meant));
  check_step(meant);
}

void check_samples(const config::Experiment& experiment, std::uint32_t n_train) {
  if (n_train >= experiment.data.batch_size) return;
  throw ConfigError("data.batch_size: expected at most the " + std::to_string(n_train) +
                    " training samples, found " + std::to_string(experiment.data.batch_size));
}

}  // namespace lipizz::setup
