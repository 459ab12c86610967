#pragma once

#include "coev/selection.hpp"

namespace lipizz::coev {

/// Truncation selection (Muehlenbein and Schlierkamp-Voosen, "Predictive models for the breeder
/// genetic algorithm", 1993): one of the fittest `share` of the members, all of these equally
/// likely. With share T and n members they are ceil(T n). Members without a finite fitness come
/// last.
extern const Selection kTruncationSelection;

}  // namespace lipizz::coev
