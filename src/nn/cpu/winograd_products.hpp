#pragma once

#include <memory>

#include "nn/convolution.hpp"
#include "nn/cpu/kernels.hpp"

/// Convolutions as products of the points of images and weights (nn/cpu/winograd.hpp), for windows
/// that Winograd::fits().
namespace lipizz::nn {

std::unique_ptr<Kernel<float>> make_forward_by_winograd(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_transposed_by_winograd(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_weights_by_winograd(const Graph& graph, ValueId value);

/// Bytes that each of them asks for.
std::size_t winograd_products_room(const ConvolutionShape& shape);

}  // namespace lipizz::nn
