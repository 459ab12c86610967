#pragma once

#include <vector>

#include "core/library.hpp"

namespace lipizz::nn {

/// The libraries that compute on the processor: oneDNN, where the build has it, and Eigen.
std::vector<Library> libraries();

}  // namespace lipizz::nn
