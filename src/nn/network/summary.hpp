#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nn/network/network.hpp"

namespace lipizz::nn {

/// The size and the cost of one layer, for one sample in inference.
struct LayerSummary {
  std::string_view kind;
  Shape outputs;
  std::uint64_t n_parameters;
  std::uint64_t flops;  // multiplications and additions of the forward pass
};

/// All layers of a network. Also says whether it is one: ConfigError beginning with `name` and
/// naming the layer when a layer does not suit its inputs, nobody reads what it gives, or it is so
/// large that no machine would hold it. The fields of layers must be in the range of
/// layer_fields().
std::vector<LayerSummary> summarise(const NetworkSpec& network, const std::string& name);

}  // namespace lipizz::nn
