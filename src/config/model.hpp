#pragma once

#include <string>
#include <string_view>

#include "config/experiment.hpp"

namespace lipizz::config {

/// Reads a model that is written out: an object with `generator` and `discriminator`, each with
/// `inputs` (a list of 1 to 3 dimensions), `layers` (a list of objects) and, if it likes,
/// `initialiser` (a name). A layer's keys are not known here, only that each is told a truth, a
/// number, a text or a list of numbers. `json` is valid JSON; ConfigError beginning with `where`
/// when it is something else.
Model parse_model(std::string_view json, const std::string& where);

/// The JSON text of a model: its name, or what parse_model() takes.
std::string model_text(const Model& model);

}  // namespace lipizz::config
