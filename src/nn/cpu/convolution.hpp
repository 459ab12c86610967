#pragma once

#include <cstddef>

#include "nn/graph/convolution.hpp"

/// Convolutions as matrix products: windows of an image as the rows of a matrix.
namespace lipizz::nn {

/// windows[place] = what the window covers there, zero outside, for `n_images` from `x` on.
/// windows: [n_images * n_places, n_window]. T: float or double.
template <class T>
void gather_windows(const ConvolutionShape& shape, const T* x, std::size_t n_images, T* windows);

/// The reverse: x = sum of what the windows hold of it, in order of places. x is overwritten.
template <class T>
void scatter_windows(const ConvolutionShape& shape, const T* windows, std::size_t n_images, T* x);

/// pixels[place] = what one pixel of the window covers there, zero outside. Pixels of a window are
/// counted row by row. pixels: [n_images * n_places, C]
void gather_pixels(const ConvolutionShape& shape, const float* x, std::size_t n_images,
                   std::uint32_t pixel, float* pixels);

/// The reverse, added to x.
void scatter_pixels(const ConvolutionShape& shape, const float* pixels, std::size_t n_images,
                    std::uint32_t pixel, float* x);

}  // namespace lipizz::nn
