#include "nn/network/layers.hpp"

#include <array>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/table.hpp"
#include "nn/every_layer.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {

LayerBuilder::LayerBuilder(Graph& graph, const NetworkSpec& network, std::size_t index,
                           std::vector<ValueId> inputs, const Pass& pass, const Place& place)
    : graph_(graph),
      network_(network),
      layer_(network.layers[index]),
      index_(index),
      inputs_(std::move(inputs)),
      pass_(pass),
      place_(place) {}

ValueId LayerBuilder::labels() const {
  if (pass_.labels) return *pass_.labels;
  fail("needs classes, and there are none");
}

std::uint32_t LayerBuilder::n_classes() const {
  if (network_.n_classes > 0) return network_.n_classes;
  fail("needs classes, and there are none");
}

ValueId LayerBuilder::uniforms(Shape shape) const {
  if (pass_.uniforms) return pass_.uniforms(std::move(shape));
  fail("needs random numbers, and gets none");
}

ValueId LayerBuilder::flat_input() {
  const std::uint32_t n_rows = shape().front();
  const auto n = static_cast<std::uint32_t>(n_elements(shape()) / n_rows);
  return graph_.reshape(input(), {n_rows, n});
}

const Shape& LayerBuilder::image_shape() const {
  if (shape().size() == 4) return shape();
  fail("takes images [N, H, W, C], not " + to_string(shape()));
}

void LayerBuilder::fail(const std::string& reason) const {
  throw InternalError(std::string(layer_.kind->name) + " " + reason);
}

ValueId LayerBuilder::tensor(std::string_view name, Shape shape, Role role, std::uint32_t fan_in,
                             std::uint32_t fan_out) {
  return place_({std::to_string(index_) + "." + std::string(name), 0, std::move(shape), role,
                 fan_in, fan_out, layer_.gain});
}

ValueId LayerBuilder::weight(Shape shape, std::uint32_t fan_in, std::uint32_t fan_out,
                             std::string_view name) {
  return scaled_weight(name, std::move(shape), Role::kWeight, fan_in, fan_out);
}

ValueId LayerBuilder::embedding(std::uint32_t n_classes, std::uint32_t n) {
  return scaled_weight("weight", {n_classes, n}, Role::kClassTable, n_classes, n);
}

ValueId LayerBuilder::scaled_weight(std::string_view name, Shape shape, Role role,
                                    std::uint32_t fan_in, std::uint32_t fan_out) {
  const std::uint32_t n_out = shape.back();
  const auto n_in = static_cast<std::uint32_t>(n_elements(shape) / n_out);
  const ValueId w = tensor(name, std::move(shape), role, fan_in, fan_out);
  if (!layer_.has_spectral_norm) return w;
  const ValueId u = tensor(std::string(name) + "_u", {n_out}, Role::kSingular);
  const ValueId v = tensor(std::string(name) + "_v", {n_in}, Role::kSingular);
  return divided(w, u, v);
}

// A weight by its largest singular value.
ValueId LayerBuilder::divided(ValueId w, ValueId u, ValueId v) {
  if (mode() != Mode::kTraining) return graph_.apply(kSpectralScale, {w, u, v});
  if (pass_.divided_weights != nullptr) {
    const auto known = pass_.divided_weights->find(w);
    if (known != pass_.divided_weights->end()) return known->second;
  }
  const std::uint32_t branch = graph_.branch();
  graph_.set_branch(Graph::kTrunk);
  if (pass_.iterates_power) graph_.apply(kPowerIteration, {w, u, v});
  const ValueId result = graph_.apply(kSpectralScale, {w, u, v});
  graph_.set_branch(branch);
  if (pass_.divided_weights != nullptr) pass_.divided_weights->emplace(w, result);
  return result;
}

void LayerBuilder::update_running(ValueId running, ValueId statistics, const Attributes& update) {
  if (pass_.update_running) return pass_.update_running(running, statistics, update);
  graph_.apply(kUpdateRunning, {running, statistics}, update);
}

ValueId LayerBuilder::bias(std::uint32_t n, std::uint32_t fan_in) {
  return tensor("bias", {n}, Role::kBias, fan_in, n);
}

ValueId LayerBuilder::scale(std::uint32_t n) {
  return tensor("weight", {n}, Role::kScale);
}

ValueId LayerBuilder::shift(std::uint32_t n, std::string_view name) {
  return tensor(name, {n}, Role::kShift);
}

ValueId LayerBuilder::running(std::uint32_t n) {
  const ValueId mean = tensor("running_mean", {n}, Role::kMean);
  tensor("running_var", {n}, Role::kVariance);  // right behind
  const Location at = *graph_.node(mean).location;
  return graph_.view(at.slot, at.offset, {2, n});
}

std::span<const LayerKind* const> layers() {
  static constexpr std::array kAll{
      &kLinearLayer,        &kConvolutionLayer,  &kTransposedConvolutionLayer,
      &kBatchNormLayer,     &kInstanceNormLayer, &kLayerNormLayer,
      &kModulateLayer,      &kEmbeddingLayer,    &kDropoutLayer,
      &kSelfAttentionLayer, &kActivationLayer,   &kReshapeLayer,
      &kAddLayer,           &kConcatenateLayer,  &kDotLayer,
      &kChannelsLayer,      &kUpsampleLayer,     &kAveragePoolLayer,
      &kSumPoolLayer,       &kMaxPoolLayer};
  return kAll;
}

const LayerKind& find_layer(std::string_view name) {
  return *find_row(
      layers(), [](const LayerKind* kind) { return kind->name; }, name, "kind of layer");
}

}  // namespace lipizz::nn
