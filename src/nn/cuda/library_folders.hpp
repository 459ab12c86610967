#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lipizz::nn::cuda {

/// The value of an environment variable, empty where it is unset.
using Environment = std::function<std::string(const char* name)>;
std::string of_this_process(const char* name);

/// Where NVIDIA's libraries may lie on a machine, in the order in which they are looked for:
///
///  1. where the system looks: LD_LIBRARY_PATH and its own folders (an empty folder in the list);
///  2. the toolkit that CUDA_HOME or CUDA_PATH names;
///  3. the toolkit that this library was built with, then /usr/local/cuda;
///  4. packages of Python (nvidia-cublas, nvidia-cudnn-cu13, ...: site-packages/nvidia/*/lib), and
///     conda's: of VIRTUAL_ENV, of CONDA_PREFIX, of the python3 on PATH, of the user, of the
///     system.
///
/// Folders of Python's are those that are there; no Python is run.
std::vector<std::filesystem::path> library_folders(const Environment& environment,
                                                   const std::filesystem::path& toolkit);

}  // namespace lipizz::nn::cuda
