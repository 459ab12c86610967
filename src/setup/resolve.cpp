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
    experiment.compute.engine = to_string(nn::fastest_backend());
  }
  return with_complete_operators(std::move(experiment));
}

}  // namespace lipizz::setup
