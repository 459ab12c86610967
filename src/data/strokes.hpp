#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lipizz::data {

struct Point {
  float x;
  float y;
};

/// A straight piece of a stroke, in pixels.
struct Segment {
  Point from;
  Point to;
  float radius = 0;  // half the width of the pen
};

/// Cuts the curve through `points` (two or more; uniform Catmull-Rom spline, whose ends are
/// mirrored) into straight segments and appends them.
void append_curve(std::span<const Point> points, std::vector<Segment>& segments);

/// Draws segments as a round pen does. canvas: [dimension, dimension], 1 under the pen, falling to
/// 0 over `softness` pixels (> 0) across its edge; overlapping ink does not add up. The centre of
/// pixel (x, y) is the point (x, y). The same bits on every machine.
void draw_segments(std::span<const Segment> segments, float softness, std::uint32_t dimension,
                   std::span<float> canvas);

}  // namespace lipizz::data
