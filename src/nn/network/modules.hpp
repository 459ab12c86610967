#pragma once

#include <string_view>
#include <vector>

#include "nn/network/layer_fields.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {

/// A part of a network as other frameworks cut it: a layer, or the activation that a layer ends
/// with, which is a module of its own behind it.
struct Module {
  static constexpr int kInput = -1;  // stands for the network's input

  std::string_view kind = {};  // of layers(), of activations(), or `identity`
  std::vector<int> from = {};  // the modules whose results it takes, by their place in the list
  std::vector<DescribedField> settings = {};  // that a forward pass needs, with their values
  Shape shape = {};                           // of its result, for one sample
  /// Parameters, then statistics, where they lie in the network's buffer. Names are the parts'
  /// alone: `weight`.
  std::vector<ParameterBlock> tensors = {};
};

/// The network's modules in order. InternalError as visit_layers().
std::vector<Module> modules_of(const NetworkSpec& network);

}  // namespace lipizz::nn
