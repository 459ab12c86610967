#include "data/scatter.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace lipizz::data::scatter_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint8_t> colour_at(const Image& image, std::uint32_t x, std::uint32_t y) {
  return {image.pixel(x, y), image.pixel(x, y) + 3};
}

std::size_t n_coloured(const Image& image) {
  std::size_t n = 0;
  for (std::uint32_t y = 0; y < image.height; ++y) {
    for (std::uint32_t x = 0; x < image.width; ++x) {
      n += colour_at(image, x, y) != std::vector<std::uint8_t>{255, 255, 255};
    }
  }
  return n;
}

TEST(ScatterPlot, puts_points_where_they_belong) {
  const std::vector<float> points{1.0f, 1.0f, -1.5f, -1.0f};
  const Image plot = scatter_plot(points, {}, 2.0f, 256);
  EXPECT_EQ(plot.width, 256U);
  EXPECT_EQ(plot.height, 256U);
  EXPECT_EQ(n_coloured(plot), 2U);
  EXPECT_THAT(colour_at(plot, 192, 64), ElementsAre(40, 60, 140));  // right and up
  EXPECT_THAT(colour_at(plot, 32, 192), ElementsAre(40, 60, 140));  // left and down
}

TEST(ScatterPlot, leaves_out_what_is_not_on_the_canvas) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> points{3.0f, 0.0f, 0.0f,      -3.0f, kNaN,
                                  0.0f, 0.0f, kInfinity, 0.0f,  -kInfinity};
  EXPECT_EQ(n_coloured(scatter_plot(points, {}, 2.0f, 256)), 0U);
}

TEST(ScatterPlot, rings_each_mode) {
  const std::vector<Mode> modes{{0.0f, 0.0f, 0.1f}};
  const Image plot = scatter_plot({}, modes, 1.0f, 256);
  EXPECT_THAT(colour_at(plot, 128 + 5, 128), ElementsAre(220, 40, 40));
  EXPECT_THAT(colour_at(plot, 128, 128 - 5), ElementsAre(220, 40, 40));
  EXPECT_THAT(colour_at(plot, 128, 128), ElementsAre(255, 255, 255));
}

TEST(ScatterPlot, is_drawn_with_larger_dots_where_it_is_larger) {
  const std::vector<float> points{1.0f, 1.0f};
  const Image plot = scatter_plot(points, {}, 2.0f, 600);
  EXPECT_EQ(plot.width, 600U);
  EXPECT_EQ(n_coloured(plot), 4U);
  EXPECT_THAT(colour_at(plot, 450, 150), ElementsAre(40, 60, 140));
  EXPECT_THAT(colour_at(plot, 451, 151), ElementsAre(40, 60, 140));
}

TEST(ScatterPlot, keeps_a_ring_at_the_edge_on_the_canvas) {
  const std::vector<Mode> modes{{1.0f, 1.0f, 0.1f}};
  EXPECT_GT(n_coloured(scatter_plot({}, modes, 1.0f, 256)), 0U);
}

TEST(Extent, holds_all_modes_with_room) {
  const std::vector<Mode> modes{{1.0f, -4.0f, 0.1f}, {2.0f, 0.0f, 0.1f}};
  EXPECT_FLOAT_EQ(extent_of(modes), 6.0f);
  EXPECT_FLOAT_EQ(extent_of({}), 1.0f);
}

}  // namespace
}  // namespace lipizz::data::scatter_test
