#include "data/scatter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/check.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint32_t kSmallest = 256;  // whose dots are single pixels
constexpr float kRoom = 1.5f;             // of the outermost mode's distance

using Colour = std::array<std::uint8_t, 3>;
constexpr Colour kInk{40, 60, 140};
constexpr Colour kRing{220, 40, 40};

bool is_inside(float value, float extent) {
  return value >= -extent && value < extent;
}

// A square picture of [-extent, extent] in both directions, the origin in the middle.
class Plot {
 public:
  Plot(std::uint32_t size, float extent)
      : image_(size, size, 3, 255),
        size_(static_cast<int>(size)),
        dot_(size_ / static_cast<int>(kSmallest)),
        extent_(extent) {}

  void put_ring(const Mode& mode) {
    const int radius = 5 * dot_;
    const int width = radius * dot_;
    for (int dy = -radius - dot_; dy <= radius + dot_; ++dy) {
      for (int dx = -radius - dot_; dx <= radius + dot_; ++dx) {
        const int square = dx * dx + dy * dy;
        const bool is_edge = square <= radius * radius + width && square >= radius * radius - width;
        if (is_edge) put(column(mode.x) + dx, column(-mode.y) + dy, kRing);
      }
    }
  }
  void put_dot(float x, float y) {
    if (!is_inside(x, extent_) || !is_inside(-y, extent_)) return;
    for (int dy = 0; dy < dot_; ++dy) {
      for (int dx = 0; dx < dot_; ++dx) put(column(x) + dx, column(-y) + dy, kInk);
    }
  }
  Image take() { return std::move(image_); }

 private:
  [[nodiscard]] int column(float x) const {
    return static_cast<int>(std::floor((x / extent_ + 1.0f) * (static_cast<float>(size_) / 2.0f)));
  }
  void put(int x, int y, const Colour& colour) {
    if (x < 0 || y < 0 || x >= size_ || y >= size_) return;
    std::ranges::copy(colour,
                      image_.pixel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)));
  }

  Image image_;
  int size_;
  int dot_;  // pixels to a side
  float extent_;
};

}  // namespace

Image scatter_plot(std::span<const float> points, std::span<const Mode> modes, float extent,
                   std::uint32_t size) {
  LIPIZZ_ASSERT(points.size() % 2 == 0 && extent > 0.0f && size >= kSmallest);
  Plot plot(size, extent);
  for (const Mode& mode : modes) plot.put_ring(mode);
  for (std::size_t i = 0; i < points.size(); i += 2) plot.put_dot(points[i], points[i + 1]);
  return plot.take();
}

float extent_of(std::span<const Mode> modes) {
  float extent = 0.0f;
  for (const Mode& mode : modes) {
    extent = std::max({extent, std::abs(mode.x), std::abs(mode.y)});
  }
  return extent > 0.0f ? kRoom * extent : 1.0f;
}

}  // namespace lipizz::data
