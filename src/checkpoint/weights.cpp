#include "checkpoint/weights.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/network_description.hpp"
#include "checkpoint/pytorch.hpp"
#include "core/check.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "nn/base/spectral.hpp"
#include "nn/network/modules.hpp"

namespace lipizz::checkpoint {
namespace {

// A weight of the module is divided by this: under spectral norm its largest singular value.
double divisor_of(const nn::ParameterBlock& weight, const nn::Module& module,
                  std::span<const float> parameters) {
  const auto find = [&](const char* suffix) {
    return std::ranges::find(module.tensors, weight.name + suffix, &nn::ParameterBlock::name);
  };
  const auto u = find("_u");
  if (u == module.tensors.end()) return 1;
  const auto v = find("_v");
  return nn::singular_value(parameters.data() + weight.offset, nn::n_elements(v->shape),
                            nn::n_elements(u->shape), parameters.data() + u->offset,
                            parameters.data() + v->offset);
}

// Calls for each tensor that a file has of the network, with its name there.
void for_each_tensor(
    const nn::NetworkSpec& network,
    const std::function<void(const nn::ParameterBlock& tensor, const nn::Module& module,
                             const std::string& name)>& each) {
  const std::vector<nn::Module> modules = nn::modules_of(network);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const nn::ParameterBlock& tensor : modules[i].tensors) {
      if (tensor.role == nn::Role::kSingular) continue;
      each(tensor, modules[i], std::to_string(i) + "." + pytorch_name(tensor));
    }
  }
}

std::string shape_text(std::span<const std::uint64_t> shape) {
  std::vector<std::string> sizes;
  for (const std::uint64_t size : shape) sizes.push_back(std::to_string(size));
  return "[" + join(sizes) + "]";
}

std::string described(const TensorView& tensor) {
  return std::string(to_string(tensor.type)) + " " + shape_text(tensor.shape);
}

const TensorView& find_tensor(const TensorFile& file, const TensorView& wanted,
                              const std::string& place) {
  const auto found = std::ranges::find(file.tensors(), wanted.name, &TensorView::name);
  const bool is_there = found != file.tensors().end();
  if (is_there && found->type == wanted.type && found->shape == wanted.shape) return *found;
  throw CheckpointError(place + ": " + wanted.name + ": expected " + described(wanted) +
                        ", found " + (is_there ? described(*found) : "no tensor of that name") +
                        "; the file is of another network");
}

}  // namespace

void write_weights(const std::filesystem::path& path, const nn::NetworkSpec& network,
                   std::span<const float> parameters, Metadata metadata) {
  LIPIZZ_ASSERT(parameters.size() == nn::parameter_layout(network).n_padded);
  std::vector<float> theirs(parameters.size());
  std::vector<TensorView> tensors;
  for_each_tensor(network, [&](const nn::ParameterBlock& tensor, const nn::Module& module,
                               const std::string& name) {
    const auto out = std::span(theirs).subspan(tensor.offset, nn::n_elements(tensor.shape));
    const double divisor = divisor_of(tensor, module, parameters);
    for_each_element(tensor, [&](std::size_t ours, std::size_t at) {
      out[at] = static_cast<float>(parameters[tensor.offset + ours] / divisor);
    });
    tensors.push_back({name, DType::kF32, pytorch_shape(tensor), std::as_bytes(out)});
  });
  metadata["format"] = "pt";
  metadata["network"] = network_description(network);
  write_tensors(path, tensors, metadata);
}

nn::Buffer<float> read_weights(const std::filesystem::path& path, const nn::NetworkSpec& network) {
  const TensorFile file = read_tensors(path);
  // All are looked at before there is memory for any, so that no more is taken than a file has.
  std::vector<std::pair<nn::ParameterBlock, std::span<const std::byte>>> found;
  for_each_tensor(
      network, [&](const nn::ParameterBlock& tensor, const nn::Module&, const std::string& name) {
        const TensorView wanted{name, DType::kF32, pytorch_shape(tensor), {}};
        found.emplace_back(tensor, find_tensor(file, wanted, path.string()).data);
      });
  if (found.size() != file.tensors().size()) {
    throw CheckpointError(path.string() + ": expected " + counted(found.size(), "tensor") +
                          ", found " + std::to_string(file.tensors().size()) +
                          "; the file is of another network");
  }
  nn::Buffer<float> parameters(nn::parameter_layout(network).n_padded);
  for (const auto& [tensor, data] : found) {
    for_each_element(tensor, [&, bytes = data.data()](std::size_t ours, std::size_t theirs) {
      std::memcpy(&parameters[tensor.offset + ours], bytes + theirs * sizeof(float), sizeof(float));
    });
  }
  return parameters;
}

}  // namespace lipizz::checkpoint
