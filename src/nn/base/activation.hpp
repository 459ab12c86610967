#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lipizz::nn {

/// Elementwise functions that a layer ends with. Each one's derivative is a function of its result,
/// so the argument need not be kept.
enum class Activation { kNone, kRelu, kLeakyRelu, kTanh, kSigmoid };

/// Slope of kLeakyRelu below zero, as in the published networks.
inline constexpr float kLeakySlope = 0.2f;

/// The slope below zero of those that are two straight lines; the one above is 1.
std::optional<float> slope_below_zero(Activation activation);

struct ActivationEntry {
  std::string_view name;
  std::string_view summary;
  Activation activation;
};

/// Every activation there is.
std::span<const ActivationEntry> activations();

/// ConfigError naming the nearest when there is none.
Activation find_activation(std::string_view name);

std::string_view to_string(Activation activation);

}  // namespace lipizz::nn
