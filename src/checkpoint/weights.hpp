#pragma once

#include <filesystem>
#include <span>

#include "checkpoint/safetensors.hpp"
#include "nn/network/network.hpp"

namespace lipizz::checkpoint {

/// A network's parameters as a safetensors file that other frameworks can load: tensors named and
/// shaped as in PyTorch's modules, `0.weight` [outputs, inputs] or [outputs, inputs, k, k] (the
/// reverse of how they lie in our buffers; of a transposed convolution [inputs, outputs, k, k], of
/// an embedding [classes, outputs] as it lies), `0.bias` [outputs], `0.running_mean` ..., where
/// the index counts the network's layers of every kind; activations are parts of theirs. The
/// metadata's `network` is JSON in the words of a configuration's `model.generator`:
/// `{"inputs":[64],"layers":[{"kind":"linear","outputs":256,"activation":"leaky-relu"}, ...]}`,
/// each layer with the fields that are not their defaults.

/// parameters: [n_padded] as in nn::parameter_layout(). `metadata` is kept beside `network`.
/// CheckpointError when the file cannot be written.
void write_weights(const std::filesystem::path& path, const nn::NetworkSpec& network,
                   std::span<const float> parameters, Metadata metadata = {});

}  // namespace lipizz::checkpoint
