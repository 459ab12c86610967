#pragma once

#include <memory>

#include "data/dataset.hpp"

namespace lipizz::data {

/// Mixtures of equally likely round Gaussians in the plane, 100,000 training and 10,000 test
/// points, the label being the index of the mode. The same points everywhere.
///
/// Source: the toy distributions of Lin et al., "PacGAN: The power of two samples in generative
/// adversarial networks" (NeurIPS 2018), section 4.1, after Srivastava et al., "VEEGAN" (2017).

/// 8 modes on a circle of radius 1, sigma 0.01; mode k at k eighths of a turn from the x axis.
DatasetSource find_ring8(const OpenOptions& options);

/// 25 modes at {-4, -2, 0, 2, 4} x {-4, -2, 0, 2, 4}, sigma 0.05, row by row from the lowest y.
DatasetSource find_grid25(const OpenOptions& options);

}  // namespace lipizz::data
