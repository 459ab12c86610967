#pragma once

#include <cstddef>
#include <cstdint>

namespace lipizz::nn::cuda {

/// Where one model's values of one operation lie.
struct Operands {
  static constexpr std::uint32_t kMostInputs = 8;
  float* inputs[kMostInputs] = {};
  float* result = nullptr;
  float* workspace = nullptr;  // of the model, as many elements as were asked for
  float* copies = nullptr;     // of the model, what a library reads (nn/cuda/staged_values.hpp)
  float* partials = nullptr;   // of the model, of sums, which a launch leaves to the next one

  [[nodiscard]] constexpr float* in(std::uint32_t i) const { return inputs[i]; }
  [[nodiscard]] constexpr float* out() const { return result; }
};

/// The same as indices into a table of all values.
struct Places {
  std::uint32_t inputs[Operands::kMostInputs] = {};
  std::uint32_t result = 0;

  /// Looked up once, before anything is written. Operands that no constant index asks for cost no
  /// look.
  [[nodiscard]] constexpr Operands in(float* const* table) const {
    Operands o;
    for (std::uint32_t i = 0; i < Operands::kMostInputs; ++i) o.inputs[i] = table[inputs[i]];
    o.result = table[result];
    return o;
  }
};

}  // namespace lipizz::nn::cuda
