#include "nn/base/activation.hpp"

#include <algorithm>
#include <array>

#include "core/table.hpp"

namespace lipizz::nn {

std::optional<float> slope_below_zero(Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return 1.0f;
    case Activation::kRelu:
      return 0.0f;
    case Activation::kLeakyRelu:
      return kLeakySlope;
    case Activation::kTanh:
    case Activation::kSigmoid:
      break;
  }
  return std::nullopt;
}

std::span<const ActivationEntry> activations() {
  static constexpr std::array kActivations{
      ActivationEntry{"none", "x", Activation::kNone},
      ActivationEntry{"relu", "max(x, 0)", Activation::kRelu},
      ActivationEntry{"leaky-relu", "x, below zero 0.2 x", Activation::kLeakyRelu},
      ActivationEntry{"tanh", "tanh(x)", Activation::kTanh},
      ActivationEntry{"sigmoid", "1 / (1 + exp(-x))", Activation::kSigmoid},
  };
  return kActivations;
}

Activation find_activation(std::string_view name) {
  return find_row(activations(), &ActivationEntry::name, name, "activation").activation;
}

std::string_view to_string(Activation activation) {
  return std::ranges::find(activations(), activation, &ActivationEntry::activation)->name;
}

}  // namespace lipizz::nn
