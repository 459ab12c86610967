#include "data/sample_values.hpp"

#include <cstdint>
#include <cstring>

#include "core/check.hpp"
#include "core/simd.hpp"
#include "data/image.hpp"

namespace lipizz::data {
namespace {

LIPIZZ_MULTIVERSION
void pixels_to_values(const std::uint8_t* pixels, std::size_t n, float* values) {
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = from_pixel(pixels[i]);
  }
}

}  // namespace

void to_values(SampleKind kind, std::span<const std::byte> stored, std::span<float> values) {
  if (kind == SampleKind::kImage) {
    LIPIZZ_ASSERT(stored.size() == values.size());
    pixels_to_values(reinterpret_cast<const std::uint8_t*>(stored.data()), values.size(),
                     values.data());
  } else {
    LIPIZZ_ASSERT(stored.size() == values.size_bytes());
    std::memcpy(values.data(), stored.data(), stored.size());
  }
}

}  // namespace lipizz::data
