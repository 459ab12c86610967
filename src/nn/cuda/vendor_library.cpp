#include "nn/cuda/vendor_library.hpp"

#include "core/error.hpp"
#include "nn/cuda/library_folders.hpp"

namespace lipizz::nn::cuda {

SharedLibrary open_vendor_library(const std::string& name, const std::string& file,
                                  const std::string& package) {
  SharedLibrary library(file, library_folders(of_this_process, LIPIZZ_CUDA_LIBRARY_DIR));
  if (library.is_open()) return library;
  throw ConfigError("device cuda needs NVIDIA's " + name + ", but " + library.complaint() +
                    "; install it (a package of CUDA, or pip install " + package +
                    "), or name its folder in LD_LIBRARY_PATH");
}

}  // namespace lipizz::nn::cuda
