#include "setup/resolve.hpp"

#include "data/dataset.hpp"
#include "nn/base/engine.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::setup {

config::Experiment resolved(config::Experiment experiment) {
  if (experiment.model.name == "auto") {
    experiment.model.name = data::find_dataset(experiment.data.dataset).model;
  }
  if (experiment.engine == "auto") {
    const bool has_onednn = nn::is_available(nn::Backend::kOneDnn);
    experiment.engine = to_string(has_onednn ? nn::Backend::kOneDnn : nn::Backend::kReference);
  }
  return experiment;
}

}  // namespace lipizz::setup
