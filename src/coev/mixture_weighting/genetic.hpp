#pragma once

#include "coev/mixture_weighting.hpp"

namespace lipizz::coev {

/// A genetic algorithm that decides which members make samples, how many, and with which weights
/// (REO-GEN, Toutouh, Hemberg and O'Reilly 2020). An individual is one vector of weights; a member
/// is left out where its weight is 0.
///
/// The first individuals are the weights of the generation before, equal ones, the best member
/// alone, and random ones, in which each member is left out with probability 1/2. In each of
/// `generations` the best individual stays, and the others are children: two parents win a
/// tournament each; with probability `crossover` each weight is that of either parent, else all are
/// the first's; on average `mutation` weights change: one of 0 comes back with a part of the
/// greatest, another one becomes 0 or moves by N(0, sigma), equally often; all are scaled to the
/// sum 1.
///
/// Departure: REO-GEN's individuals are lists of generators, whose lengths operators of their own
/// change; here they have one length, as all weights have.
extern const MixtureWeighting kGeneticWeighting;

}  // namespace lipizz::coev
