#pragma once

#include <cstddef>
#include <tuple>

#include "nn/base/losses/terms.hpp"
#include "nn/every_loss.hpp"

namespace lipizz::nn {

/// Every loss there is, with its types, so that devices can be compiled for them. The order is part
/// of genomes: append only.
inline constexpr std::tuple kLossTable{kBce,   kMinimax,     kHeuristic,   kMse,         kLsgan,
                                       kHinge, kWasserstein, kPix2pixLoss, kRelativistic};

inline constexpr std::size_t kNLosses = std::tuple_size_v<decltype(kLossTable)>;

template <std::size_t row>
using LossRow = std::remove_const_t<std::tuple_element_t<row, decltype(kLossTable)>>;

}  // namespace lipizz::nn
