#pragma once

#include "coev/loss_mutation.hpp"

namespace lipizz::coev {

/// All losses at once, one offspring each: the mutations of E-GAN (Wang et al. 2019), whose fittest
/// child becomes the next parent. Departure: children are whole pairs and train for a generation,
/// where the original's share one discriminator and train for a step.
extern const LossMutation kEachLossMutation;

}  // namespace lipizz::coev
