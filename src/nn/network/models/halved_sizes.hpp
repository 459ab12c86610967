#pragma once

#include <vector>

#include "nn/network/models.hpp"

namespace lipizz::nn {

/// The sizes {height, width} that images have after each halving, their own first, down to 4..7 on
/// the shorter side or to what cannot be halved; none where samples are no images, or pairs.
std::vector<Shape> halved_sizes(const ModelSamples& samples);

}  // namespace lipizz::nn
