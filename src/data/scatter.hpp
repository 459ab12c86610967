#pragma once

#include <cstdint>
#include <span>

#include "data/dataset.hpp"
#include "data/image.hpp"

namespace lipizz::data {

/// Points of the plane as dark dots on white, `size` x `size` pixels, at least 256, red-green-blue;
/// y points up.
/// points: [n, 2]; what lies outside or is not finite is left out. The canvas spans
/// [-extent, extent] in both directions. A red ring marks each mode.
Image scatter_plot(std::span<const float> points, std::span<const Mode> modes, float extent,
                   std::uint32_t size);

/// The extent that holds all modes with a margin; 1 when there are none.
float extent_of(std::span<const Mode> modes);

}  // namespace lipizz::data
