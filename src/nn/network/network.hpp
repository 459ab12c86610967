#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "nn/base/activation.hpp"
#include "nn/base/shape.hpp"
#include "nn/graph/graph.hpp"
#include "nn/network/initialiser.hpp"
#include "nn/network/layers.hpp"
#include "nn/network/layers/linear.hpp"

namespace lipizz::nn {

/// One layer of a network: its kind and what that kind is told; each reads the fields that its
/// entry in layers() names.
struct Layer {
  std::uint32_t outputs = 0;  // features, channels
  Activation activation = Activation::kNone;
  const LayerKind* kind = &kLinearLayer;
  Window window = {};
  bool has_bias = true;
  bool has_spectral_norm = false;  // weights divided by their largest singular value
  float gain = 1;                  // of Glorot's and He's initial weights
  Shape shape = {};                // of one sample
  /// Whose results it takes: 0 is the network's input, i the i-th layer; none: the layer before.
  std::vector<std::uint32_t> from = {};
  float rate = 0;            // of dropout
  std::uint32_t offset = 0;  // the first of the channels taken
};

/// A network described once: what it takes and its layers in order.
struct NetworkSpec {
  Shape inputs;  // of one sample: {features} or {H, W, C}
  std::vector<Layer> layers;
  const Initialiser* initialiser = &kUniform;
  std::uint32_t n_classes = 0;  // that its rows may belong to; 0: none

  [[nodiscard]] std::uint32_t n_inputs() const {
    return static_cast<std::uint32_t>(n_elements(inputs));
  }
};

/// Appends a layer; its number, as Layer::from counts them.
std::uint32_t append(NetworkSpec& network, Layer layer);

/// The same network for weights that spectral norm has divided already, as files have them.
NetworkSpec without_spectral_norm(NetworkSpec network);

/// Elements of one sample of what the network gives.
std::uint32_t n_outputs(const NetworkSpec& network);

/// How a network lies in one contiguous buffer, the same for every genome of it: its parameters
/// without gaps in layer order, zeros up to a multiple of the alignment, then running statistics in
/// the same way.
struct ParameterLayout {
  std::vector<ParameterBlock> blocks;      // what an optimizer changes
  std::vector<ParameterBlock> statistics;  // what training steps keep up
  std::size_t n_parameters = 0;            // elements of `blocks`
  std::size_t n_padded = 0;                // of the whole buffer
};

ParameterLayout parameter_layout(const NetworkSpec& network);

/// Builds the network for one sample, as it is in use, and tells of each layer once it is there:
/// its result, its operations, which are the graph's nodes from `first` on, and the tensors of all
/// layers so far. InternalError when a layer does not suit its inputs.
struct AddedLayer {
  const Graph& graph;
  ValueId first;
  ValueId result;
  const ParameterLayout& layout;
};
void visit_layers(const NetworkSpec& network,
                  const std::function<void(const AddedLayer& added)>& visit);

/// Writes initial parameters and statistics; what lies between and after is zero.
/// parameters: [n_padded].
void initialise(const NetworkSpec& network, const Random& random, std::span<float> parameters);

/// Adds the network's layers to the graph. x: [N, inputs] in any shape; returns [N, outputs].
/// `parameters` is a slot of n_padded elements, written to when statistics are kept up.
ValueId add_network(Graph& graph, const NetworkSpec& network, SlotId parameters, ValueId x,
                    const Pass& pass);

/// A part of a batch, as a network sees it.
struct PartOfBatch {
  ValueId x;
  Pass pass;
  /// The network's parameter tensors for this part, in layout order, so that what each part makes
  /// of their gradients can be told apart; empty: those of the slot.
  std::span<const ValueId> tensors{};
};

/// The same for parts of one batch, layer by layer. Batch norm, in training or frozen, looks at all
/// of `batch`; null: at each part by itself. Passes are of one mode.
std::vector<ValueId> add_network(Graph& graph, const NetworkSpec& network, SlotId parameters,
                                 std::span<const PartOfBatch> parts, const BatchParts* batch);

/// True where a network's samples meet, in training or frozen: it has batch norm.
bool looks_at_batches(const NetworkSpec& network);

/// Parameter tensors of `network` as values of `graph`, in layout order.
std::vector<ValueId> parameter_values(Graph& graph, const NetworkSpec& network, SlotId parameters);

}  // namespace lipizz::nn
