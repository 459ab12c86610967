#pragma once

#include <memory>

#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// The metric `modes`, for point sets whose modes are known: reverse_kl + (1 - within_3_sigma).
///
/// Every sample belongs to its nearest mode (the first among equals). Details, as in PacGAN (Lin et
/// al. 2018): `modes`, how many have a sample within 3 sigma; `within_3_sigma`, the share of such
/// samples; `reverse_kl`, the divergence KL(samples per mode || uniform), in nats. Class shares are
/// those within 3 sigma. Features per sample: its two coordinates. There is nothing to learn: the
/// judge is empty.
std::unique_ptr<Scorer> make_modes_scorer(const data::Dataset& dataset);

}  // namespace lipizz::metrics
