#pragma once

#include <memory>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// `linear`, `matmul` or `batch_matmul` by products of pairs in bf16 (nn/cpu/bf16_product.hpp).
std::unique_ptr<Kernel<float>> make_pair_product(const Graph& graph, ValueId value);

/// Bytes of workspace that the kernel asks for.
std::size_t pair_product_workspace_bytes(const Graph& graph, ValueId value);

}  // namespace lipizz::nn
