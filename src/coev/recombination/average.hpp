#pragma once

#include "coev/recombination.hpp"

namespace lipizz::coev {

/// Every `period` generations the offspring is the mean of the whole sub-population, in so far as
/// `share` says: x <- (1 - share) x + share / n sum_i x_i, n being its size (decentralised parallel
/// SGD, Lian et al. 2017, and of GANs Liu et al. 2020, both with share 1; with less it is the
/// elastic averaging of Zhang, Choromanska and LeCun 2015 between neighbours). All cells together
/// then train one pair with as many times the samples. Departures: these papers average after each
/// step, here a generation lies in between, as in FedGAN (Rasouli et al. 2020), whose server
/// averages over everybody; and the members' networks are those of the generation before.
extern const Recombination kAverageRecombination;

}  // namespace lipizz::coev
