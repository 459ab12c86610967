#include "setup/resolve.hpp"

#include <utility>

#include "data/dataset.hpp"
#include "nn/base/engine.hpp"
#include "nn/cpu/numerics.hpp"
#include "setup/operators.hpp"

namespace lipizz::setup {

config::Experiment resolved(config::Experiment experiment) {
  if (experiment.model.name == "auto") {
    experiment.model.name = data::find_dataset(experiment.data.dataset).model;
  }
  if (experiment.compute.engine == "auto") {
    const bool has_onednn = nn::is_available(nn::Backend::kOneDnn);
    experiment.compute.engine =
        to_string(has_onednn ? nn::Backend::kOneDnn : nn::Backend::kReference);
  }
  return with_complete_operators(std::move(experiment));
}

}  // namespace lipizz::setup
