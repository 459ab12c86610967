#pragma once

#include "coev/selection.hpp"

namespace lipizz::coev {

/// Each cell trains its own centre, as in the published MNIST settings of Lipizzaner
/// (Schmiedlechner et al. 2018) and Mustangs (Toutouh et al. 2019). Departure: the originals
/// evaluate everybody all the same; here nobody whose fitness decides nothing is evaluated.
extern const Selection kNoSelection;

}  // namespace lipizz::coev
