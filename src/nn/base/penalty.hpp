#pragma once

#include <span>
#include <string_view>

#include "nn/base/loss.hpp"

namespace lipizz::nn {

/// A gradient penalty of the discriminator: the mean over samples of a function of the squared
/// length of the derivative of its logit by the sample, all values of it together.
struct Penalty {
  /// Between a real sample and a generated one, at the real ones, around them, or at the real and
  /// the generated ones.
  enum class Where { kInterpolated, kAtReal, kNearReal, kAtBoth };
  std::string_view name;
  std::string_view summary;  // formula and source
  Where where;
  Loss::Term term;  // of the squared length
};

/// Every penalty there is.
std::span<const Penalty> penalties();

/// ConfigError naming the nearest when there is none.
const Penalty& find_penalty(std::string_view name);

}  // namespace lipizz::nn
