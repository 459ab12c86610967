#include "data/strokes.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

namespace lipizz::data::strokes_test {
namespace {

constexpr std::uint32_t kExtent = 20;

std::vector<float> draw(const std::vector<Segment>& segments, float softness = 1.0f) {
  std::vector<float> canvas(std::size_t{kExtent} * kExtent, -1.0f);
  draw_segments(segments, softness, kExtent, canvas);
  return canvas;
}

double distance_to(const Segment& s, double x, double y) {
  double least = 1e9;  // by trying many points of the segment
  for (int i = 0; i <= 2000; ++i) {
    const double t = i / 2000.0;
    least = std::min(least, std::hypot(s.from.x + t * (s.to.x - s.from.x) - x,
                                       s.from.y + t * (s.to.y - s.from.y) - y));
  }
  return least;
}

TEST(Segments, ink_falls_off_with_the_distance_from_the_line) {
  const Segment segment{{4.3f, 5.1f}, {15.2f, 11.7f}, 2.0f};
  const std::vector<float> canvas = draw({segment}, 1.5f);
  for (std::uint32_t y = 0; y < kExtent; ++y) {
    for (std::uint32_t x = 0; x < kExtent; ++x) {
      const double edge = (2.0 - distance_to(segment, x, y)) / 1.5 + 0.5;
      ASSERT_NEAR(canvas[y * kExtent + x], std::clamp(edge, 0.0, 1.0), 1e-4) << x << ", " << y;
    }
  }
}

TEST(Segments, ink_does_not_add_up) {
  const Segment a{{2, 10}, {18, 10}, 1.2f};
  const Segment b{{10, 2}, {10, 18}, 1.2f};
  const std::vector<float> both = draw({a, b});
  const std::vector<float> first = draw({a});
  const std::vector<float> second = draw({b});
  for (std::size_t i = 0; i < both.size(); ++i) {
    ASSERT_EQ(both[i], std::max(first[i], second[i]));
  }
}

TEST(Segments, a_segment_without_length_is_a_dot) {
  const Segment dot{{9.5f, 9.5f}, {9.5f, 9.5f}, 3.0f};
  double ink = 0;
  for (const float value : draw({dot})) ink += value;
  // A disc with a linear edge about radius 3: pi * (3^2 + 1/12), up to the sampling on pixels.
  EXPECT_NEAR(ink, M_PI * (9.0 + 1.0 / 12.0), 0.3);
}

TEST(Segments, what_lies_outside_is_left_out) {
  const std::vector<float> canvas =
      draw({{{-50, -50}, {-40, -45}, 2}, {{30, 5}, {60, 5}, 2}, {{-5, 10}, {40, 10}, 1}});
  EXPECT_EQ(canvas[10 * kExtent], 1.0f);
  EXPECT_EQ(canvas[10 * kExtent + kExtent - 1], 1.0f);
  EXPECT_EQ(canvas[5 * kExtent + kExtent - 1], 0.0f);
}

TEST(Curve, passes_through_its_points_in_one_piece) {
  const std::array points{Point{0, 0}, Point{4, 8}, Point{10, 2}, Point{12, 12}};
  std::vector<Segment> segments;
  append_curve(points, segments);
  std::size_t n_met = 1;  // its start
  EXPECT_EQ(segments.front().from.x, 0.0f);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (i > 0) {
      EXPECT_EQ(segments[i].from.x, segments[i - 1].to.x);
      EXPECT_EQ(segments[i].from.y, segments[i - 1].to.y);
    }
    for (const Point& point : points) {
      n_met += std::hypot(segments[i].to.x - point.x, segments[i].to.y - point.y) < 1e-5;
    }
  }
  EXPECT_EQ(n_met, points.size());
}

TEST(Curve, through_points_on_a_line_at_equal_steps_is_that_line) {
  const std::array points{Point{1, 1}, Point{3, 2}, Point{5, 3}};
  std::vector<Segment> segments;
  append_curve(points, segments);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(segments.size());
    EXPECT_NEAR(segments[i].to.x, 1 + 4 * share, 1e-5);
    EXPECT_NEAR(segments[i].to.y, 1 + 2 * share, 1e-5);
  }
}

TEST(Curve, follows_a_parabola_between_inner_points) {
  // A Catmull-Rom spline reproduces quadratics away from its ends: y = x^2 at x = -2 .. 2.
  std::vector<Point> points;
  for (int x = -2; x <= 2; ++x) {
    points.push_back({static_cast<float>(x), static_cast<float>(x * x)});
  }
  std::vector<Segment> segments;
  append_curve(points, segments);
  for (const Segment& segment : segments) {
    if (std::abs(segment.to.x) <= 1.0f) {
      EXPECT_NEAR(segment.to.y, segment.to.x * segment.to.x, 1e-5);
    }
  }
}

}  // namespace
}  // namespace lipizz::data::strokes_test
