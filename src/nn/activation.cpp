#include "nn/activation.hpp"

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

std::string_view to_string(Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return "none";
    case Activation::kRelu:
      return "relu";
    case Activation::kLeakyRelu:
      return "leaky-relu";
    case Activation::kTanh:
      return "tanh";
    case Activation::kSigmoid:
      return "sigmoid";
  }
  return "";
}

}  // namespace lipizz::nn
