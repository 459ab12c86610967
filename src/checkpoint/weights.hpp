#pragma once

#include <filesystem>
#include <span>

#include "checkpoint/safetensors.hpp"
#include "nn/buffer.hpp"
#include "nn/network.hpp"

namespace lipizz::checkpoint {

/// A network's parameters as a safetensors file that other frameworks can load: tensors named and
/// shaped as PyTorch's Sequential of Linear layers has them, `0.weight` [outputs, inputs] (the
/// transpose of how they lie in our buffers) and `0.bias` [outputs], where the index counts linear
/// layers alone. The metadata's `network` tells inputs, outputs and activations:
/// `64 256:leaky-relu 784:tanh`.

/// parameters: [n_padded] as in nn::parameter_layout(). `metadata` is kept beside `network`.
/// CheckpointError when the file cannot be written.
void write_weights(const std::filesystem::path& path, const nn::NetworkSpec& network,
                   std::span<const float> parameters, Metadata metadata = {});

/// Returns [n_padded], the padding zero. CheckpointError when the file is damaged or of another
/// network, naming both.
nn::Buffer<float> read_weights(const std::filesystem::path& path, const nn::NetworkSpec& network);

}  // namespace lipizz::checkpoint
