#pragma once

#include <memory>

#include "nn/cpu/plan.hpp"

namespace lipizz::nn::testing {

/// A device's kernel of an operation, as loops of the host.
std::unique_ptr<Kernel<float>> make_host_kernel(const Graph& graph, ValueId value);

}  // namespace lipizz::nn::testing
