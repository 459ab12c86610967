#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/graph/graph.hpp"
#include "nn/network/initialiser.hpp"

namespace lipizz::nn {

struct Layer;        // nn/network/network.hpp
struct NetworkSpec;  // nn/network/network.hpp

/// The mode of a network's pass: in training, which updates its running statistics; frozen beside
/// one in training, with the statistics of the batch; in inference, with the running ones.
enum class Mode { kTraining, kFrozen, kInference };

/// The mode of a network's pass, and its inputs beside the samples.
struct Pass {
  Mode mode = Mode::kInference;
  std::uint32_t n_batches = 1;      // equal parts of the rows, each a batch to batch norm
  std::optional<ValueId> labels{};  // the rows' classes [N], where layers ask for them
  /// Uniform random numbers in [0, 1) of this shape, new ones for each call; where layers ask for
  /// them, which they do in training alone.
  std::function<ValueId(Shape shape)> uniforms{};
  /// In training, where several passes make up a step: weights that spectral norm has divided in it
  /// already, by tensor. The first pass adds them, in the graph's trunk, after one step of their
  /// power iteration.
  std::map<ValueId, ValueId>* divided_weights = nullptr;
  /// In training: spectral norm makes a step of its power iteration; false where another pass of
  /// the same training step does.
  bool iterates_power = true;
  /// In training: appends the update of running statistics by those of this pass; null: at once.
  std::function<void(ValueId running, ValueId statistics, const Attributes& update)>
      update_running{};
  /// The stages of a pipeline that compute the layers (nn/network/network_stages.hpp); empty: there
  /// is none.
  std::span<const std::uint32_t> stage_of_layer{};
};

/// The parts of a batch that are computed apart and looked at as one by batch norm (synchronised
/// batch norm), as MicroBatches in nn/train/micro_batch.hpp has them.
struct BatchParts {
  std::uint32_t n_rows;                // of the batch
  std::uint32_t n;                     // parts, of all ranks
  Collectives* collectives = nullptr;  // of the ranks that compute the others; null: there are none
};

/// Turns a layer's description into operations.
class LayerBuilder {
 public:
  /// Where the network's next tensor lies; the block's offset is not known yet.
  using Place = std::function<ValueId(ParameterBlock block)>;

  /// `index`: the layer's in its network. At least one input.
  LayerBuilder(Graph& graph, const NetworkSpec& network, std::size_t index,
               std::vector<ValueId> inputs, const Pass& pass, const Place& place);

  [[nodiscard]] Graph& graph() { return graph_; }
  [[nodiscard]] const Layer& layer() const { return layer_; }
  [[nodiscard]] ValueId input() const { return inputs_.front(); }
  [[nodiscard]] std::span<const ValueId> inputs() const { return inputs_; }
  [[nodiscard]] const Shape& shape() const { return graph_.shape(input()); }  // [N, ...]
  [[nodiscard]] Mode mode() const { return pass_.mode; }
  [[nodiscard]] std::uint32_t n_batches() const { return pass_.n_batches; }  // among the rows

  /// Classes of the rows [N], and how many classes there are. InternalError where there are none.
  [[nodiscard]] ValueId labels() const;
  [[nodiscard]] std::uint32_t n_classes() const;
  /// As Pass::uniforms.
  [[nodiscard]] ValueId uniforms(Shape shape) const;
  void update_running(ValueId running, ValueId statistics, const Attributes& update);

  /// InternalError unless the input is images [N, H, W, C].
  [[nodiscard]] const Shape& image_shape() const;

  /// The input as [N, features].
  [[nodiscard]] ValueId flat_input();

  /// Tensors of the layer, in the order of the network's buffer. Weights [..., outputs], with
  /// spectral norm applied where the layer asks for it.
  ValueId weight(Shape shape, std::uint32_t fan_in, std::uint32_t fan_out,
                 std::string_view name = "weight");
  /// A row for each class, [classes, n]; otherwise a weight like any other.
  ValueId embedding(std::uint32_t n_classes, std::uint32_t n);
  ValueId bias(std::uint32_t n, std::uint32_t fan_in);
  ValueId scale(std::uint32_t n);
  ValueId shift(std::uint32_t n, std::string_view name = "bias");
  /// Running mean and variance [2, n].
  ValueId running(std::uint32_t n);

  /// InternalError naming the layer's kind.
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  ValueId tensor(std::string_view name, Shape shape, Role role, std::uint32_t fan_in = 1,
                 std::uint32_t fan_out = 1);
  ValueId divided(ValueId w, ValueId u, ValueId v);
  ValueId scaled_weight(std::string_view name, Shape shape, Role role, std::uint32_t fan_in,
                        std::uint32_t fan_out);

  Graph& graph_;
  const NetworkSpec& network_;
  const Layer& layer_;
  std::size_t index_;
  std::vector<ValueId> inputs_;
  const Pass& pass_;
  const Place& place_;
};

/// A kind of layer: it is no more than operations, which bring their own gradients.
struct LayerKind {
  std::string_view name;
  std::string_view summary;  // shapes and tensors
  /// Appends the layer and returns its result, [N, ...]. InternalError where the input's shape does
  /// not suit.
  ValueId (*add)(LayerBuilder& builder);
  /// The fields that it reads beside its inputs, as nn/network/layer_fields.hpp names them; with
  /// `from` among them it takes any number of inputs, otherwise one.
  std::vector<std::string_view> reads = {};
  /// Appends the layer, in training or frozen, for those parts of a batch that are computed here,
  /// where it looks at all of the batch; null: its samples do not meet.
  std::vector<ValueId> (*add_together)(std::span<LayerBuilder> parts,
                                       const BatchParts& batch) = nullptr;
};

/// Every kind there is.
std::span<const LayerKind* const> layers();

/// ConfigError naming the nearest when there is none.
const LayerKind& find_layer(std::string_view name);

}  // namespace lipizz::nn
