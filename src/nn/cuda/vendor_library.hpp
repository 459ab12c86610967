#pragma once

#include "nn/exec/shared_library.hpp"

namespace lipizz::nn::cuda {

/// One of NVIDIA's libraries, opened where it lies (nn/cuda/library_folders.hpp) when it is needed,
/// so that a machine needs those alone that its runs use. ConfigError saying where it was looked
/// for when it cannot be opened. `name`: its own name and major version, "cuDNN 9"; `file`:
/// "libcudnn.so.9"; `package`: the package of Python that has it.
SharedLibrary open_vendor_library(const std::string& name, const std::string& file,
                                  const std::string& package);

}  // namespace lipizz::nn::cuda
