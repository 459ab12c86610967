#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/experiment.hpp"

namespace lipizz::report {

/// A setting in which experiments differ.
struct SettingDifference {
  std::string path;                 // "generator.learning_rate", "selection.size"
  std::vector<std::string> values;  // one of each experiment, as on a command line
};

/// The settings that have not the same value in all experiments, in the order of the reference. An
/// operator is several: its kind, `selection`, and each of its parameters, `selection.size`, whose
/// value is empty where an experiment's kind has no such parameter.
std::vector<SettingDifference> setting_differences(std::span<const config::Experiment> experiments);

}  // namespace lipizz::report
