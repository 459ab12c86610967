#include "data/strokes.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/simd.hpp"

namespace lipizz::data {
namespace {

constexpr int kPiecesPerSpan = 4;
constexpr std::uint32_t kLanes = 8;  // rows of pixels come in whole numbers of these

Point mirrored(Point point, Point centre) {
  return {2.0f * centre.x - point.x, 2.0f * centre.y - point.y};
}

float catmull_rom(float a, float b, float c, float d, float t) {
  const float cubic = 3.0f * (b - c) + (d - a);
  const float square = (2.0f * a - 5.0f * b) + (4.0f * c - d);
  return b + 0.5f * t * ((c - a) + t * (square + t * cubic));
}

/// The pixels from `first` up to `end` that the interval [low, high] can touch.
struct PixelRange {
  PixelRange(float low, float high, std::uint32_t dimension)
      : first(clamped(low, dimension)), end(clamped(high + 1.0f, dimension)) {}

  static std::uint32_t clamped(float value, std::uint32_t dimension) {
    const float limit = static_cast<float>(dimension);
    return static_cast<std::uint32_t>(std::clamp(value, 0.0f, limit));
  }

  std::uint32_t first;
  std::uint32_t end;
};

// One segment, copied so that no pixel that is written can be a part of it. Each row of the canvas
// has space for a whole number of lanes.
LIPIZZ_MULTIVERSION
void draw_rows(const Segment segment, float softness, PixelRange rows, PixelRange columns,
               std::uint32_t stride, float* canvas) {
  const float dx = segment.to.x - segment.from.x;
  const float dy = segment.to.y - segment.from.y;
  const float length_squared = dx * dx + dy * dy;
  const float inverse = length_squared > 0.0f ? 1.0f / length_squared : 0.0f;
  const float sharpness = 1.0f / softness;
  const std::uint32_t n = (columns.end - columns.first + kLanes - 1) / kLanes * kLanes;
  for (std::uint32_t y = rows.first; y < rows.end; ++y) {
    const float py = static_cast<float>(y) - segment.from.y;
    float* const pixels = canvas + y * stride + columns.first;
    LIPIZZ_INDEPENDENT
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto x = static_cast<float>(static_cast<std::int32_t>(columns.first + i));
      const float px = x - segment.from.x;
      const float along = (px * dx + py * dy) * inverse;
      const float above = along < 0.0f ? 0.0f : along;
      const float t = above > 1.0f ? 1.0f : above;
      const float ex = px - t * dx;
      const float ey = py - t * dy;
      const float ink = (segment.radius - std::sqrt(ex * ex + ey * ey)) * sharpness + 0.5f;
      pixels[i] = ink > pixels[i] ? ink : pixels[i];
    }
  }
}

}  // namespace

void append_curve(std::span<const Point> points, std::vector<Segment>& segments) {
  LIPIZZ_ASSERT(points.size() >= 2);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point b = points[i];
    const Point c = points[i + 1];
    const Point a = i > 0 ? points[i - 1] : mirrored(c, b);
    const Point d = i + 2 < points.size() ? points[i + 2] : mirrored(b, c);
    Point from = b;
    for (int piece = 1; piece <= kPiecesPerSpan; ++piece) {
      const float t = static_cast<float>(piece) / kPiecesPerSpan;
      const Point to{catmull_rom(a.x, b.x, c.x, d.x, t), catmull_rom(a.y, b.y, c.y, d.y, t)};
      segments.push_back({from, to});
      from = to;
    }
  }
}

void draw_segments(std::span<const Segment> segments, float softness, std::uint32_t dimension,
                   std::span<float> canvas) {
  LIPIZZ_ASSERT(canvas.size() == std::size_t{dimension} * dimension);
  const std::uint32_t stride = dimension + kLanes;  // the last lanes of a row may hang over
  std::vector<float> padded(std::size_t{dimension} * stride, 0.0f);
  for (const Segment& segment : segments) {
    const float reach = segment.radius + 0.5f * softness;  // no ink beyond it
    const auto [left, right] = std::minmax(segment.from.x, segment.to.x);
    const auto [top, bottom] = std::minmax(segment.from.y, segment.to.y);
    draw_rows(segment, softness, {top - reach, bottom + reach, dimension},
              {left - reach, right + reach, dimension}, stride, padded.data());
  }
  for (std::uint32_t y = 0; y < dimension; ++y) {
    for (std::uint32_t x = 0; x < dimension; ++x) {
      canvas[std::size_t{y} * dimension + x] = std::min(1.0f, padded[std::size_t{y} * stride + x]);
    }
  }
}

}  // namespace lipizz::data
