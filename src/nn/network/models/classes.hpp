#pragma once

#include <cstdint>

#include "nn/network/network.hpp"

/// The layers that make a pair class-conditional; none where rows have no classes.
namespace lipizz::nn {

/// In front of a generator's layers: the noise, and behind it an embedding of the class.
void append_class_to_noise(NetworkSpec& generator);

/// Behind a discriminator's layers, the last of which gives a logit: adds to it the inner product
/// of layer `features`, which gives `n_features` values, with an embedding of the class (Miyato and
/// Koyama 2018).
void add_projection(NetworkSpec& discriminator, std::uint32_t features, std::uint32_t n_features,
                    bool has_spectral_norm = false);

}  // namespace lipizz::nn
