#pragma once

#include <filesystem>
#include <span>

#include "checkpoint/safetensors.hpp"
#include "nn/base/buffer.hpp"
#include "nn/network/network.hpp"

namespace lipizz::checkpoint {

/// A network's parameters as a safetensors file that other frameworks can load: what it computes
/// with once it is trained. Tensors are named and shaped as in PyTorch's modules
/// (checkpoint/pytorch.hpp), `0.weight`, `0.bias`, `1.running_mean` ..., where the index counts
/// the network's modules (nn/network/modules.hpp): each layer is one, and the activation that it
/// ends with another. Weights under spectral norm are written divided by their largest singular
/// value, as they are used. The metadata's `network` is what network_description() gives.

/// parameters: [n_padded] as in nn::parameter_layout(). `metadata` is kept beside `network`.
/// CheckpointError when the file cannot be written.
void write_weights(const std::filesystem::path& path, const nn::NetworkSpec& network,
                   std::span<const float> parameters, Metadata metadata = {});

/// Such a file's tensors as the parameters [n_padded] of `network`, which has no spectral norm
/// (nn::without_spectral_norm()). Believes no length. CheckpointError with the file and the tensor
/// when the file is missing or damaged, or has other tensors than the network.
nn::Buffer<float> read_weights(const std::filesystem::path& path, const nn::NetworkSpec& network);

}  // namespace lipizz::checkpoint
