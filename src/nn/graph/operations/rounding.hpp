#pragma once

#include "nn/base/half.hpp"
#include "nn/graph/operation.hpp"

/// Values of 16 bits (nn/base/half.hpp). Which format it is says `number`, its bits of mantissa: 10
/// of fp16, 7 of bf16. Graphs have them once all derivatives are there
/// (nn/graph/mixed_precision.hpp, packed_values.hpp).
namespace lipizz::nn {

extern const Operation kRound;
extern const Operation kPack;
extern const Operation kUnpack;

std::span<const Operation* const> rounding_operations();

/// The attributes that name a format, and the format that they name.
Attributes attributes_of(Half format);
constexpr Half format_of(const Attributes& attributes) {
  return attributes.number == 10 ? Half::kFp16 : Half::kBf16;
}

/// Calls `use` with that format as a template's argument.
template <class Use>
constexpr void with_format(const Attributes& attributes, const Use& use) {
  if (format_of(attributes) == Half::kFp16) {
    use.template operator()<Half::kFp16>();
  } else {
    use.template operator()<Half::kBf16>();
  }
}

}  // namespace lipizz::nn
