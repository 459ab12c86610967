#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/random.hpp"
#include "nn/base/shape.hpp"

namespace lipizz::nn {

/// The role of a tensor in its layer; an initialiser treats each role differently.
enum class Role { kWeight, kClassTable, kBias, kScale, kShift, kMean, kVariance, kSingular };

/// One tensor inside a network's buffer.
struct ParameterBlock {
  std::string name;    // "0.weight": the layer's index and the tensor's part in it
  std::size_t offset;  // elements from the start of the buffer
  Shape shape;         // weights: inputs, then outputs, last; embeddings: a row for each class
  Role role;
  std::uint32_t fan_in;   // values that one output is made of
  std::uint32_t fan_out;  // values that one input goes into
  float gain = 1;         // the layer's, for the initialisers that have one
};

/// How parameters begin. Biases and shifts of all but `uniform` are zero, scales one.
struct Initialiser {
  std::string_view name;
  std::string_view summary;  // distributions and source
  /// Fills one tensor; `random` is keyed by network, its samples are offsets in the buffer.
  void (*fill)(const ParameterBlock& block, const Random& random, std::span<float> tensor);
};

/// U(+-1/sqrt(fan_in)), PyTorch's default, and the network's where it names no other.
extern const Initialiser kUniform;
/// N(0, 0.02), scales N(1, 0.02): DCGAN's.
extern const Initialiser kNormal02;
/// U(+-sqrt(6 / (fan_in + fan_out))).
extern const Initialiser kGlorotUniform;
/// N(0, 2 / fan_in).
extern const Initialiser kHeNormal;

/// Every initialiser there is.
std::span<const Initialiser* const> initialisers();

/// ConfigError naming the nearest when there is none.
const Initialiser& find_initialiser(std::string_view name);

}  // namespace lipizz::nn
