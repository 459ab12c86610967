#include "checkpoint/pytorch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

namespace lipizz::checkpoint {
namespace {

// PyTorch's Embedding has a row for each class, as we have.
bool lies_as_in_pytorch(const nn::ParameterBlock& tensor) {
  return tensor.role == nn::Role::kClassTable;
}

// A tensor of ours as rows [inputs] of columns [outputs], for each element of the window:
// [window, inputs, outputs].
struct Extents {
  explicit Extents(const nn::ParameterBlock& tensor) {
    const nn::Shape& shape = tensor.shape;
    if (shape.size() == 1 || lies_as_in_pytorch(tensor)) {
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

double setting(const nn::Module& module, std::string_view name) {
  const auto found = std::ranges::find(module.settings, name, &nn::DescribedField::first);
  return std::get<double>(found->second);
}

bool has(const nn::Module& module, std::string_view tensor) {
  return std::ranges::find(module.tensors, tensor, &nn::ParameterBlock::name) !=
         module.tensors.end();
}

std::string_view bias_of(const nn::Module& module) {
  return has(module, "bias") ? "" : ", bias=False";
}

// The functions below write a module that takes `inputs`; nothing where PyTorch has none such.

// In front of a linear layer PyTorch would lay out images by channels first.
std::string linear(const nn::Module& module, const nn::Shape& inputs) {
  if (inputs.size() != 1) return {};
  return fmt::format("Linear({}, {}{})", inputs[0], module.shape[0], bias_of(module));
}

std::string convolution(const nn::Module& module, const nn::Shape& inputs) {
  const bool is_transposed = module.kind != "convolution";
  const double groups = setting(module, "groups");
  return fmt::format("{}({}, {}, {}, stride={}, padding={}{}{})",
                     is_transposed ? "ConvTranspose2d" : "Conv2d", inputs.back(),
                     module.shape.back(), setting(module, "kernel"), setting(module, "stride"),
                     setting(module, "padding"),
                     groups == 1 ? "" : fmt::format(", groups={}", groups), bias_of(module));
}

std::string batch_norm(const nn::Module& module, const nn::Shape& inputs) {
  return fmt::format("BatchNorm{}d({}, eps={}{})", inputs.size() == 1 ? 1 : 2, inputs.back(),
                     setting(module, "epsilon"), has(module, "weight") ? "" : ", affine=False");
}

std::string instance_norm(const nn::Module& module, const nn::Shape& inputs) {
  return fmt::format("InstanceNorm2d({}, eps={}{})", inputs.back(), setting(module, "epsilon"),
                     has(module, "weight") ? ", affine=True" : "");
}

// Mean and variance are those of the whole sample, which PyTorch's LayerNorm has no weights by
// channel for.
std::string layer_norm(const nn::Module& module, const nn::Shape& inputs) {
  return fmt::format("GroupNorm(1, {}, eps={})", inputs.back(), setting(module, "epsilon"));
}

struct Stock {
  std::string_view kind;
  std::string (*text)(const nn::Module& module, const nn::Shape& inputs);
};

constexpr std::array kStock{
    Stock{"linear", linear},
    Stock{"convolution", convolution},
    Stock{"transposed-convolution", convolution},
    Stock{"batch-norm", batch_norm},
    Stock{"instance-norm", instance_norm},
    Stock{"layer-norm", layer_norm},
    Stock{"dropout",
          [](const nn::Module& m, const nn::Shape&) {
            return fmt::format("Dropout({})", setting(m, "rate"));
          }},
    Stock{"upsample",
          [](const nn::Module& m, const nn::Shape&) {
            return fmt::format("Upsample(scale_factor={})", setting(m, "kernel"));
          }},
    Stock{"average-pool",
          [](const nn::Module& m, const nn::Shape&) {
            return fmt::format("AvgPool2d({})", setting(m, "kernel"));
          }},
    Stock{"max-pool",
          [](const nn::Module& m, const nn::Shape&) {
            return fmt::format("MaxPool2d({})", setting(m, "kernel"));
          }},
    Stock{"leaky-relu",
          [](const nn::Module& m, const nn::Shape&) {
            return fmt::format("LeakyReLU({})", setting(m, "slope"));
          }},
    Stock{"relu", [](const nn::Module&, const nn::Shape&) { return std::string("ReLU()"); }},
    Stock{"tanh", [](const nn::Module&, const nn::Shape&) { return std::string("Tanh()"); }},
    Stock{"sigmoid", [](const nn::Module&, const nn::Shape&) { return std::string("Sigmoid()"); }},
    Stock{"identity",
          [](const nn::Module&, const nn::Shape&) { return std::string("Identity()"); }},
};

std::string stock_text(const nn::Module& module, const nn::Shape& inputs) {
  const auto* const stock = std::ranges::find(kStock, module.kind, &Stock::kind);
  return stock == kStock.end() ? std::string() : stock->text(module, inputs);
}

}  // namespace

std::string pytorch_name(const nn::ParameterBlock& tensor) {
  const bool is_one_of_several = tensor.role == nn::Role::kWeight && tensor.name != "weight";
  return is_one_of_several ? tensor.name + ".weight" : tensor.name;
}

std::vector<std::uint64_t> pytorch_shape(const nn::ParameterBlock& tensor) {
  const nn::Shape& shape = tensor.shape;
  if (lies_as_in_pytorch(tensor)) return {shape.begin(), shape.end()};
  if (shape.size() < 4) return {shape.rbegin(), shape.rend()};
  return {shape[3], shape[2], shape[0], shape[1]};
}

// Ours [window, inputs, outputs], PyTorch's [outputs, inputs, window].
void for_each_element(const nn::ParameterBlock& tensor,
                      const std::function<void(std::size_t ours, std::size_t theirs)>& each) {
  const Extents e(tensor);
  for (std::size_t w = 0; w < e.window; ++w) {
    for (std::size_t in = 0; in < e.inputs; ++in) {
      for (std::size_t out = 0; out < e.outputs; ++out) {
        each((w * e.inputs + in) * e.outputs + out, (out * e.inputs + in) * e.window + w);
      }
    }
  }
}

std::string pytorch_sequential(std::span<const nn::Module> modules, const nn::Shape& inputs) {
  std::string text;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const bool is_chained = modules[i].from == std::vector<int>{static_cast<int>(i) - 1};
    const std::string module =
        is_chained ? stock_text(modules[i], i == 0 ? inputs : modules[i - 1].shape) : "";
    if (module.empty()) return {};
    text += (i == 0 ? "torch.nn." : ", torch.nn.") + module;
  }
  return "torch.nn.Sequential(" + text + ")";
}

}  // namespace lipizz::checkpoint
