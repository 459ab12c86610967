#pragma once

#include "coev/loss_mutation.hpp"

namespace lipizz::coev {

/// Draws each of the losses with the same probability, 1/n of n (Mustangs; Toutouh et al. 2019,
/// with three: minimax, least squares and the heuristic one). Departure: their code has 0.33, 0.33
/// and 0.34, and its minimax is missing.
extern const LossMutation kUniformLossMutation;

}  // namespace lipizz::coev
