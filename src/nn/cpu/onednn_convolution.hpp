#pragma once

#include <memory>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Convolutions on oneDNN: its primitives on channels-last images, or products of windows, of their
/// pixels or of Winograd's points, as the node's way says.
std::unique_ptr<Kernel<float>> make_convolution(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_transposed_convolution(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_convolution_weights(const Graph& graph, ValueId value);

/// Of each of the three: its windows, pixels or points, or its weights in the order that a
/// primitive asks for.
std::size_t convolution_room(const Graph& graph, ValueId value);

}  // namespace lipizz::nn
