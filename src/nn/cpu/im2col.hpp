#pragma once

#include <cstddef>

#include "nn/cpu/bf16.hpp"
#include "nn/graph/convolution.hpp"

/// Convolutions as matrix products (gemm): how images become the rows of a matrix, and back. An
/// output position is one place of the kernel's window; a tap is one pixel of it, counted row by
/// row.
namespace lipizz::nn {

/// columns[position] = what the window covers there, zero outside, for `n_images` from `x` on.
/// columns: [n_images * n_positions, n_window].
void im2col(const ConvolutionShape& shape, const float* x, std::size_t n_images, float* columns);
/// The same rounded to bf16 (nn/cpu/bf16.hpp).
void im2col(const ConvolutionShape& shape, const float* x, std::size_t n_images, Bf16* columns);

/// The reverse: x = sum of what the columns hold of it, in order of positions. x is overwritten.
void col2im(const ConvolutionShape& shape, const float* columns, std::size_t n_images, float* x);

/// pixels[position] = what one tap covers there, zero outside. pixels: [n_images * n_positions, C]
void gather_tap(const ConvolutionShape& shape, const float* x, std::size_t n_images,
                std::uint32_t tap, float* pixels);

/// The reverse, added to x.
void scatter_tap(const ConvolutionShape& shape, const float* pixels, std::size_t n_images,
                 std::uint32_t tap, float* x);

}  // namespace lipizz::nn
