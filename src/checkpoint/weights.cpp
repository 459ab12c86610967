#include "checkpoint/weights.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "checkpoint/network_description.hpp"
#include "checkpoint/pytorch.hpp"
#include "core/check.hpp"
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

}  // namespace

void write_weights(const std::filesystem::path& path, const nn::NetworkSpec& network,
                   std::span<const float> parameters, Metadata metadata) {
  LIPIZZ_ASSERT(parameters.size() == nn::parameter_layout(network).n_padded);
  std::vector<float> theirs(parameters.size());
  std::vector<TensorView> tensors;
  const std::vector<nn::Module> modules = nn::modules_of(network);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const nn::ParameterBlock& tensor : modules[i].tensors) {
      if (tensor.role == nn::Role::kSingular) continue;
      const auto out = std::span(theirs).subspan(tensor.offset, nn::n_elements(tensor.shape));
      const double divisor = divisor_of(tensor, modules[i], parameters);
      for_each_element(tensor, [&](std::size_t ours, std::size_t at) {
        out[at] = static_cast<float>(parameters[tensor.offset + ours] / divisor);
      });
      tensors.push_back({std::to_string(i) + "." + pytorch_name(tensor), DType::kF32,
                         pytorch_shape(tensor), std::as_bytes(out)});
    }
  }
  metadata["format"] = "pt";
  metadata["network"] = network_description(network);
  write_tensors(path, tensors, metadata);
}

}  // namespace lipizz::checkpoint
