#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "nn/network/modules.hpp"

namespace lipizz::checkpoint {

/// Networks as PyTorch's modules have them.

/// The name of a module's tensor: `weight`, `bias`, `running_mean`; of a module with several
/// weights `theta.weight`.
std::string pytorch_name(const nn::ParameterBlock& tensor);

/// [outputs, inputs] or [outputs, inputs, k, k], the reverse of how weights lie in our buffers; of
/// a transposed convolution [inputs, outputs, k, k], of an embedding [classes, outputs] as it lies.
std::vector<std::uint64_t> pytorch_shape(const nn::ParameterBlock& tensor);

/// Calls for each element of a tensor with where it lies in ours and in PyTorch's.
void for_each_element(const nn::ParameterBlock& tensor,
                      const std::function<void(std::size_t ours, std::size_t theirs)>& each);

/// `torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.LeakyReLU(0.2), ...)`, which takes and
/// gives images as [n, channels, height, width]. Empty where the network is no chain of modules
/// that PyTorch has.
std::string pytorch_sequential(std::span<const nn::Module> modules, const nn::Shape& inputs);

}  // namespace lipizz::checkpoint
