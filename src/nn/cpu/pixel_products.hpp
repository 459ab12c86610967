#pragma once

#include <memory>

#include "nn/convolution.hpp"
#include "nn/cpu/kernels.hpp"

/// Convolutions as sums of products, one for each pixel of the window: its weights [C, O] stay in
/// the cache while many places go by.
namespace lipizz::nn {

std::unique_ptr<Kernel<float>> make_forward_by_pixels(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_transposed_by_pixels(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_weights_by_pixels(const Graph& graph, ValueId value);

/// Bytes that each of them asks for.
std::size_t pixel_products_room(const ConvolutionShape& shape);

}  // namespace lipizz::nn
