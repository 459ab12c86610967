#include "checkpoint/weights.hpp"

#include <cstring>

#include "core/check.hpp"
#include "core/error.hpp"

namespace lipizz::checkpoint {
namespace {

std::string describe(const nn::NetworkSpec& network) {
  std::string text = std::to_string(network.inputs);
  for (const nn::LinearLayer& layer : network.layers) {
    text += " " + std::to_string(layer.outputs);
    if (layer.activation != nn::Activation::kNone) {
      text += ":" + std::string(nn::to_string(layer.activation));
    }
  }
  return text;
}

// from: [n_rows, n_columns], to: [n_columns, n_rows]
void transpose(std::span<const float> from, std::size_t n_rows, std::span<float> to) {
  const std::size_t n_columns = from.size() / n_rows;
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t column = 0; column < n_columns; ++column) {
      to[column * n_rows + row] = from[row * n_columns + column];
    }
  }
}

std::vector<std::uint64_t> transposed_shape(const nn::Shape& shape) {
  return {shape.rbegin(), shape.rend()};
}

void check_network(const TensorFile& file, const nn::NetworkSpec& network,
                   const std::filesystem::path& path) {
  const auto found = file.metadata().find("network");
  const std::string text = found == file.metadata().end() ? "none" : found->second;
  if (text == describe(network)) return;
  throw CheckpointError(path.string() + ": expected weights of the network " + describe(network) +
                        ", found " + text + "; choose the file or the model that fits");
}

}  // namespace

void write_weights(const std::filesystem::path& path, const nn::NetworkSpec& network,
                   std::span<const float> parameters, Metadata metadata) {
  const nn::ParameterLayout layout = nn::parameter_layout(network);
  LIPIZZ_ASSERT(parameters.size() == layout.n_padded);
  std::vector<float> transposed(layout.n_parameters);
  std::vector<TensorView> tensors;
  for (const nn::ParameterBlock& block : layout.blocks) {
    const std::size_t n = nn::n_elements(block.shape);
    const std::span<float> out = std::span(transposed).subspan(block.offset, n);
    transpose(parameters.subspan(block.offset, n), block.shape.front(), out);
    tensors.push_back({block.name, DType::kF32, transposed_shape(block.shape), std::as_bytes(out)});
  }
  metadata["format"] = "pt";
  metadata["network"] = describe(network);
  write_tensors(path, tensors, metadata);
}

nn::Buffer<float> read_weights(const std::filesystem::path& path, const nn::NetworkSpec& network) {
  const TensorFile file = read_tensors(path);
  check_network(file, network, path);
  const nn::ParameterLayout layout = nn::parameter_layout(network);
  if (file.tensors().size() != layout.blocks.size()) {
    throw CheckpointError(path.string() + ": expected " + std::to_string(layout.blocks.size()) +
                          " tensors, found " + std::to_string(file.tensors().size()));
  }
  nn::Buffer<float> parameters(layout.n_padded);
  for (std::size_t i = 0; i < layout.blocks.size(); ++i) {
    const nn::ParameterBlock& block = layout.blocks[i];
    const TensorView& tensor = file.tensors()[i];
    if (tensor.name != block.name || tensor.type != DType::kF32 ||
        tensor.shape != transposed_shape(block.shape)) {
      throw CheckpointError(path.string() + ": expected tensor " + block.name + " F32 transposed " +
                            nn::to_string(block.shape) + ", found " + tensor.name);
    }
    std::vector<float> values(nn::n_elements(block.shape));
    std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
    transpose(values, block.shape.back(),
              std::span(parameters).subspan(block.offset, values.size()));
  }
  return parameters;
}

}  // namespace lipizz::checkpoint
