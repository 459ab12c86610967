#pragma once

#include <cstddef>

#include "nn/convolution.hpp"

/// Convolutions as matrix products: windows of an image as the rows of a matrix.
namespace lipizz::nn {

/// windows[place] = what the window covers there, zero outside, for `n_images` from `x` on.
/// windows: [n_images * n_places, n_window]
void gather_windows(const ConvolutionShape& shape, const float* x, std::size_t n_images,
                    float* windows);

/// The reverse: x = sum of what the windows hold of it, in order of places. x is overwritten.
void scatter_windows(const ConvolutionShape& shape, const float* windows, std::size_t n_images,
                     float* x);

}  // namespace lipizz::nn
