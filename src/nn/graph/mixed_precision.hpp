#pragma once

#include "nn/base/half.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// The pass of mixed precision over a graph that is complete, derivatives and all (Micikevicius et
/// al. 2018): rounds the factors of products and convolutions, their results, and what activations,
/// normalisation, resampling and sums make of these. In single precision stay parameters (products
/// take rounded copies), their derivatives, which add up over rows, statistics, losses, and what
/// lies in slots but for results of the above. Kernels compute in single precision from values of
/// 16 bits, as tensor cores add up: on processors this saves memory (nn/graph/packed_values.hpp),
/// and no time.
Graph with_rounded_values(const Graph& graph, Half format);

}  // namespace lipizz::nn
