#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/doctor.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::app {

/// The folder above which a run's folder is made, or the nearest one above it that is there: that
/// it can be written to, puts files on the disk, knows locks and has room. A file is made there and
/// removed again.
Finding check_run_folder_place(const std::filesystem::path& folder);

/// The first of the cache's folders that takes a file, which the classifiers that judge images are
/// kept in.
Finding check_cache(const metrics::CacheFolders& cache);

/// Every dataset that is read from files: where it is, or the command that fetches it. Only the
/// lack of `wanted` stops a run.
std::vector<Finding> check_datasets(const std::string& data_dir, const std::string& wanted);

/// The folder for temporary files, which mpirun keeps its own in, and the shared memory in which
/// ranks of a host exchange (`/dev/shm`).
Finding check_temporary_folder(const std::string& folder);
Finding check_shared_memory(const std::filesystem::path& folder);

}  // namespace lipizz::app
