#include "nn/network/modules.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/normalisation.hpp"

namespace lipizz::nn {
namespace {

// Fields that Module says in another way, or that only training reads.
bool is_told_otherwise(std::string_view field) {
  constexpr std::array<std::string_view, 6> kThese{"kind",  "from", "activation",
                                                   "shape", "gain", "spectral_norm"};
  return std::ranges::find(kThese, field) != kThese.end();
}

bool is_norm(const LayerKind& kind) {
  return &kind == &kBatchNormLayer || &kind == &kInstanceNormLayer || &kind == &kLayerNormLayer;
}

std::vector<DescribedField> settings_of(const Layer& layer) {
  std::vector<DescribedField> settings = described_fields(layer);
  std::erase_if(settings, [](const auto& field) { return is_told_otherwise(field.first); });
  if (is_norm(*layer.kind)) settings.emplace_back("epsilon", shortest_number(kNormEpsilon));
  return settings;
}

// Those of `all` that belong to the layer of this index, without it in their names.
void append_tensors(std::vector<ParameterBlock>& tensors, const std::vector<ParameterBlock>& all,
                    std::size_t index) {
  const std::string prefix = std::to_string(index) + ".";
  for (ParameterBlock block : all) {
    if (!block.name.starts_with(prefix)) continue;
    block.name.erase(0, prefix.size());
    tensors.push_back(std::move(block));
  }
}

Module activation_module(Activation activation, std::vector<int> from, const Shape& shape) {
  Module module{.kind = to_string(activation), .from = std::move(from), .shape = shape};
  if (activation == Activation::kNone) module.kind = "identity";
  if (activation == Activation::kLeakyRelu) {
    module.settings.emplace_back("slope", shortest_number(kLeakySlope));
  }
  return module;
}

// Appends each layer's modules.
class Builder {
 public:
  explicit Builder(const NetworkSpec& network) : layout_(parameter_layout(network)) {}

  void add(const Layer& layer, const Shape& shape) {
    if (layer.kind == &kActivationLayer) {
      modules_.push_back(activation_module(layer.activation, from(layer), shape));
    } else {
      add_layer(layer, shape);
      if (layer.activation != Activation::kNone) {
        modules_.push_back(activation_module(layer.activation, {last()}, shape));
      }
    }
    results_.push_back(last());
  }
  std::vector<Module> take() { return std::move(modules_); }

 private:
  [[nodiscard]] int last() const { return static_cast<int>(modules_.size()) - 1; }
  [[nodiscard]] std::vector<int> from(const Layer& layer) const {
    if (layer.from.empty()) return {results_.back()};
    std::vector<int> modules;
    for (const std::uint32_t source : layer.from) modules.push_back(results_[source]);
    return modules;
  }
  void add_layer(const Layer& layer, const Shape& shape) {
    Module module{.kind = layer.kind->name,
                  .from = from(layer),
                  .settings = settings_of(layer),
                  .shape = shape};
    const std::size_t index = results_.size() - 1;
    append_tensors(module.tensors, layout_.blocks, index);
    append_tensors(module.tensors, layout_.statistics, index);
    modules_.push_back(std::move(module));
  }

  ParameterLayout layout_;
  std::vector<int> results_{Module::kInput};  // by the numbers of Layer::from
  std::vector<Module> modules_;
};

}  // namespace

std::vector<Module> modules_of(const NetworkSpec& network) {
  Builder builder(network);
  auto layer = network.layers.begin();
  visit_layers(network, [&](const AddedLayer& added) {
    const Shape& shape = added.graph.shape(added.result);
    builder.add(*layer++, {shape.begin() + 1, shape.end()});
  });
  return builder.take();
}

}  // namespace lipizz::nn
