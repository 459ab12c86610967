#pragma once

#include <cstddef>
#include <span>

#include "data/description.hpp"

namespace lipizz::data {

/// Gives a sample as readers of a dataset get it, from how it is stored, `stored` [shape.size()]:
/// an image's 8-bit values v as (v / 255 - 0.5) / 0.5, a point's float32 as they are.
void to_values(SampleKind kind, std::span<const std::byte> stored, std::span<float> values);

}  // namespace lipizz::data
