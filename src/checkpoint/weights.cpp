#include "checkpoint/weights.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/check.hpp"
#include "nn/network/layer_fields.hpp"

namespace lipizz::checkpoint {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(double number) {
  if (std::trunc(number) != number) return number;
  return static_cast<std::int64_t>(number);
}

struct ToJson {
  Json operator()(bool value) const { return value; }
  Json operator()(double value) const { return number_json(value); }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const std::vector<double>& values) const {
    Json list = Json::array();
    for (const double value : values) list.push_back(number_json(value));
    return list;
  }
};

// By the table of fields, so that none can be forgotten.
Json layer_json(const nn::Layer& layer) {
  Json json = Json::object();
  for (const auto& [name, value] : nn::described_fields(layer)) {
    json[std::string(name)] = std::visit(ToJson{}, value);
  }
  return json;
}

std::string describe(const nn::NetworkSpec& network) {
  Json layers = Json::array();
  for (const nn::Layer& layer : network.layers) layers.push_back(layer_json(layer));
  return Json{{"inputs", network.inputs}, {"layers", std::move(layers)}}.dump();
}

// PyTorch's Embedding has a row for each class, as we have.
bool lies_as_in_pytorch(const nn::ParameterBlock& block) {
  return block.role == nn::Role::kClassTable;
}

// A tensor of ours as rows [inputs] of columns [outputs], for each element of the window:
// [window, inputs, outputs].
struct Extents {
  explicit Extents(const nn::ParameterBlock& block) {
    const nn::Shape& shape = block.shape;
    if (shape.size() == 1 || lies_as_in_pytorch(block)) {
      outputs = nn::n_elements(shape);
    } else {
      outputs = shape.back();
      inputs = shape[shape.size() - 2];
      window = nn::n_elements(shape) / inputs / outputs;
    }
  }
  std::size_t window = 1;
  std::size_t inputs = 1;
  std::size_t outputs = 1;
};

// Calls with where each element lies in ours [window, inputs, outputs], and in PyTorch's [outputs,
// inputs, window].
template <class Each>
void for_each_element(const Extents& e, const Each& each) {
  for (std::size_t w = 0; w < e.window; ++w) {
    for (std::size_t in = 0; in < e.inputs; ++in) {
      for (std::size_t out = 0; out < e.outputs; ++out) {
        each((w * e.inputs + in) * e.outputs + out, (out * e.inputs + in) * e.window + w);
      }
    }
  }
}

std::vector<std::uint64_t> pytorch_shape(const nn::ParameterBlock& block) {
  const nn::Shape& shape = block.shape;
  if (lies_as_in_pytorch(block)) return {shape.begin(), shape.end()};
  if (shape.size() < 4) return {shape.rbegin(), shape.rend()};
  return {shape[3], shape[2], shape[0], shape[1]};
}

// Parameters, then statistics.
std::vector<nn::ParameterBlock> tensors_of(const nn::ParameterLayout& layout) {
  std::vector<nn::ParameterBlock> all = layout.blocks;
  all.insert(all.end(), layout.statistics.begin(), layout.statistics.end());
  return all;
}

}  // namespace

void write_weights(const std::filesystem::path& path, const nn::NetworkSpec& network,
                   std::span<const float> parameters, Metadata metadata) {
  const nn::ParameterLayout layout = nn::parameter_layout(network);
  LIPIZZ_ASSERT(parameters.size() == layout.n_padded);
  std::vector<float> theirs(layout.n_padded);
  std::vector<TensorView> tensors;
  for (const nn::ParameterBlock& block : tensors_of(layout)) {
    const auto out = std::span(theirs).subspan(block.offset, nn::n_elements(block.shape));
    for_each_element(Extents(block), [&](std::size_t ours, std::size_t at) {
      out[at] = parameters[block.offset + ours];
    });
    tensors.push_back({block.name, DType::kF32, pytorch_shape(block), std::as_bytes(out)});
  }
  metadata["format"] = "pt";
  metadata["network"] = describe(network);
  write_tensors(path, tensors, metadata);
}

}  // namespace lipizz::checkpoint
