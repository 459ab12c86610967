#pragma once

#include <filesystem>
#include <string>

#include "config/experiment.hpp"

namespace lipizz::app {

/// setup::validate(), whose message begins with the file's name where the file's own settings,
/// without those of the command line, are refused alike. `file` may be empty: there is none.
void validate_naming(const config::Experiment& experiment, const std::filesystem::path& file);

/// The text that `lipizz config check FILE` prints of a valid file. ConfigError for one that a run
/// would refuse, whatever machine it ran on: beside setup::validate() this looks at the table of
/// convolutions, at the precision of the device, and at how many samples a built-in dataset has.
std::string check_config_file(const std::filesystem::path& file);

/// ConfigError where check_config_file() would refuse a file with this experiment.
void check_without_machine(const config::Experiment& experiment);

}  // namespace lipizz::app
