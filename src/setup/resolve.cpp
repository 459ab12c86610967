#include "setup/resolve.hpp"

#include <utility>

#include "nn/base/engine.hpp"
#include "nn/cpu/numerics.hpp"
#include "setup/operators.hpp"
#include "setup/samples.hpp"

namespace lipizz::setup {

config::Experiment resolved(config::Experiment experiment) {
  if (experiment.model.name == "auto") {
    if (const auto form = form_of(experiment)) {
      experiment.model.name = fitting_model(experiment, *form);
    }
  }
  if (experiment.compute.engine == "auto") {
    const bool has_onednn = nn::is_available(nn::Backend::kOneDnn);
    experiment.compute.engine =
        to_string(has_onednn ? nn::Backend::kOneDnn : nn::Backend::kReference);
  }
  return with_complete_operators(std::move(experiment));
}

}  // namespace lipizz::setup
