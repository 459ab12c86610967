#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace lipizz::report {

/// The file that tells the folder of an ensemble, which has a config.json too, from a run's.
inline constexpr const char* kEnsembleFile = "ensemble.json";
bool is_ensemble_folder(const std::filesystem::path& folder);

/// True for the folder of a run that has begun: there is a config.json in it, and it is no
/// ensemble's.
bool is_run_folder(const std::filesystem::path& folder);

/// The folders of runs that are meant: of each path itself where it is one, else all below it,
/// sorted, at most eight folders deep. A run is returned once, however often it is named. Folders
/// inside of runs are not looked into, and links to folders not followed below a path. ConfigError
/// when a path is no folder or an ensemble, or there is no run at it or below.
std::vector<std::filesystem::path> run_folders(std::span<const std::filesystem::path> named);

}  // namespace lipizz::report
