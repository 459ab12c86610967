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

void check_engine(const config::Experiment& experiment) {
  if (experiment.compute.engine != "reference" || experiment.compute.convolution_table.empty())
    return;
  throw ConfigError(
      "convolution_table: engine reference computes convolutions in one way only; use engine "
      "onednn, or no table");
}

// The settings of files are those that the dataset reads.
void check_files(const config::Data& data, const data::DatasetEntry& dataset) {
  if (dataset.origin == data::Origin::kPath) {
    if (!data.own.path.empty()) return;
    throw ConfigError("data.path: the dataset " + data.dataset +
                      " is yours: name its folder or file with --data-path");
  }
  if (data.own == config::OwnData{}) return;
  throw ConfigError("data.path: the dataset " + data.dataset +
                    " has samples of its own and reads none of the settings of yours (data.path, "
                    "data.size ...); use image-folder, pairs, npy, csv or hdf5, or leave them out");
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

// The model makes samples like those of the dataset. One that is written out may have them as rows
// of values.
void check_model(const config::Experiment& experiment, const data::SampleForm& form) {
  const std::string fitting = "; use \"" + fitting_model(experiment, form) + "\"";
  if (!experiment.model.is_written_out()) {
    try {
      static_cast<void>(model_of(experiment));
    } catch (const ConfigError& error) {
      throw ConfigError(std::string("model: ") + error.what() + fitting);
    }
    return;
  }
  const nn::GanSpec made = model_of(experiment);
  if (made.sample() == form.shape.size() && form.n_condition_channels == 0) return;
  throw ConfigError("model: expected one with " + std::to_string(form.shape.size()) +
                    " values per sample, as " + experiment.data.dataset + " has, found " +
                    shortened(config::model_text(experiment.model)) + " with " +
                    std::to_string(made.sample()) + fitting);
}

}  // namespace

void validate(const config::Experiment& experiment) {
  check_settings(experiment);
  check_files(experiment.data, data::find_dataset(experiment.data.dataset));
  const auto form = form_of(experiment);
  if (form) check_dataset(experiment, *form);
  const config::Experiment meant = resolved(experiment);
  check_engine(meant);
  check_neighbours(schedule_of(meant), torus_of(meant));
  if (!form) return;
  check_model(meant, *form);
  check_step(meant);
}

void check_samples(const config::Experiment& experiment, std::uint32_t n_train) {
  if (n_train >= experiment.data.batch_size) return;
  throw ConfigError("data.batch_size: expected at most the " + std::to_string(n_train) +
                    " training samples, found " + std::to_string(experiment.data.batch_size));
}

}  // namespace lipizz::setup
