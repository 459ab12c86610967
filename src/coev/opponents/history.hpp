#pragma once

#include "coev/opponents.hpp"

namespace lipizz::coev {

/// The partner with probability `share`, otherwise one of the last `size` networks that stood in
/// its place at the end of each `period`-th generation, each as often: a discriminator goes on to
/// tell what its generator made before (Shrivastava et al. 2017), and a pair does not turn in
/// circles (Grnarova et al. 2018). Departure: the first mix half a batch of past images into each
/// step.
extern const Opponents kHistoryOpponents;

}  // namespace lipizz::coev
