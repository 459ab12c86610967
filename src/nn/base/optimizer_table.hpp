#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "core/error.hpp"
#include "core/simd.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/every_optimizer.hpp"

namespace lipizz::nn {

/// Every optimizer there is, with its type, so that engines can be compiled for it. A row is a type
/// of nn/base/optimizers:
///
///     kName, kSummary, kNMoments       as `OptimizerEntry` says
///     kNSquares                        as n_squares() says
///     Numbers, numbers(spec, rate, step)
///                                      what one update is made with, floats; step: updates before
///     update(numbers, g, w, moments)   the update of one number by its gradient, for the fast
///                                      engine and for devices
///     reference(spec, rate, step, w, g, moments)
///                                      the published formula on arrays of float or double:
///                                      Eigen::Maps, taken by value; w and moments are written
///                                      through them
///
/// One that looks at whole tensors has besides
///
///     advance(numbers, g, moments)     what becomes of the moments before anything is measured
///     measured(numbers, g, w, moments) the number whose length, over a tensor, its weights' is
///                                      held against
///     trust(numbers, |w|, |measured|)  the trust ratio of a tensor of weights, which update()
///                                      finds in its numbers, where 1 stands for one of a single
///                                      dimension (a bias, a scale or a shift)
///
/// and `reference` is told last whether a tensor has one dimension.
using OptimizerTable = std::tuple<Adam, Sgd, RmsProp, AdamW, AdaBelief, Lamb, Lars>;

template <class Optimizer>
inline constexpr bool kIsLayerwise = requires {
  &Optimizer::trust;
};

inline constexpr std::size_t kNOptimizers = std::tuple_size_v<OptimizerTable>;

/// Calls `use` with the optimizer of that row. InternalError when there is none.
template <std::size_t row = 0, class Use>
LIPIZZ_INLINE void with_optimizer(OptimizerId kind, const Use& use) {
  if constexpr (row == kNOptimizers) {
    throw InternalError("no optimizer of number " + std::to_string(kind));
  } else {
    if (kind != row) return with_optimizer<row + 1>(kind, use);
    use(std::tuple_element_t<row, OptimizerTable>{});
  }
}

}  // namespace lipizz::nn
