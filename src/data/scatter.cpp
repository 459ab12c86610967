#include "data/scatter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/check.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint32_t kCanvas = 256;
constexpr int kRingRadius = 5;
constexpr float kRoom = 1.5f;  // of the outermost mode's distance

using Colour = std::array<std::uint8_t, 3>;
constexpr Colour kInk{40, 60, 140};
constexpr Colour kRing{220, 40, 40};

/// Pixel coordinates of the plane, the origin in the middle.
int column_of(float x, float extent) {
  return static_cast<int>(std::floor((x / extent + 1.0f) * (kCanvas / 2.0f)));
}
int row_of(float y, float extent) {
  return column_of(-y, extent);
}

void put(Image& image, int x, int y, const Colour& colour) {
  constexpr int kEnd = kCanvas;
  if (x < 0 || y < 0 || x >= kEnd || y >= kEnd) return;
  std::ranges::copy(colour,
                    image.pixel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)));
}

void put_ring(Image& image, int centre_x, int centre_y) {
  for (int dy = -kRingRadius; dy <= kRingRadius; ++dy) {
    for (int dx = -kRingRadius; dx <= kRingRadius; ++dx) {
      const int square = dx * dx + dy * dy;
      const bool is_edge = square <= kRingRadius * kRingRadius + kRingRadius &&
                           square >= kRingRadius * kRingRadius - kRingRadius;
      if (is_edge) put(image, centre_x + dx, centre_y + dy, kRing);
    }
  }
}

bool is_inside(float value, float extent) {
  return value >= -extent && value < extent;
}

}  // namespace

Image scatter_plot(std::span<const float> points, std::span<const Mode> modes, float extent) {
  LIPIZZ_ASSERT(points.size() % 2 == 0 && extent > 0.0f);
  Image image(kCanvas, kCanvas, 3, 255);
  for (const Mode& mode : modes) put_ring(image, column_of(mode.x, extent), row_of(mode.y, extent));
  for (std::size_t i = 0; i < points.size(); i += 2) {
    const float x = points[i];
    const float y = points[i + 1];
    if (!is_inside(x, extent) || !is_inside(-y, extent)) continue;
    put(image, column_of(x, extent), row_of(y, extent), kInk);
  }
  return image;
}

float extent_of(std::span<const Mode> modes) {
  float extent = 0.0f;
  for (const Mode& mode : modes) {
    extent = std::max({extent, std::abs(mode.x), std::abs(mode.y)});
  }
  return extent > 0.0f ? kRoom * extent : 1.0f;
}

}  // namespace lipizz::data
