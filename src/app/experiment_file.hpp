#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace lipizz::app {

/// The folder of the experiments that come with the program: `share/lipizz/configs` of an installed
/// one, `configs` of the source tree of one that lies in its `build/PRESET/bin`. Nothing where it
/// is not there.
std::optional<std::filesystem::path> experiments_folder();

/// Its files, by name.
std::vector<std::filesystem::path> experiment_files();

/// The file of settings that a person names: one of that name, else the experiment of that name
/// that comes with the program (`mustangs-mnist`, `configs/mustangs-mnist.json`). ConfigError for a
/// folder, and for a mere name that is neither, naming the nearest experiment; a path comes back as
/// it is, for whoever reads it to say what is there.
std::filesystem::path find_experiment_file(const std::filesystem::path& name);

}  // namespace lipizz::app
