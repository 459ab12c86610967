#include "data/sheet.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "data/dataset.hpp"
#include "data/scatter.hpp"

namespace lipizz::data::sheet_test {
namespace {

using ::testing::ElementsAre;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(ImageSheet, maps_values_to_pixels) {
  const std::vector<float> row{-1, 1, 0, -7, 7, kNaN};
  const Image sheet = image_sheet({.height = 1, .width = 6, .channels = 1}, row, 1);
  const std::uint8_t* first = sheet.pixel(2, 2);
  EXPECT_THAT(std::vector<std::uint8_t>(first, first + 6), ElementsAre(0, 255, 128, 0, 255, 0));
}

TEST(ImageSheet, inverts_what_a_dataset_reads) {
  for (int pixel = 0; pixel < 256; ++pixel) {
    const std::vector<float> value{(static_cast<float>(pixel) / 255.0f - 0.5f) / 0.5f};
    const Image sheet = image_sheet({}, value, 1);
    ASSERT_EQ(*sheet.pixel(2, 2), pixel);
  }
}

TEST(ImageSheet, lays_samples_out_row_by_row) {
  // Three colour images of 2x1 pixels, two to a row: 2 + 2 + 2 + 2 + 2 wide, 2 + 1 + 2 + 1 + 2
  // high.
  std::vector<float> samples(18, -1.0f);
  samples[6 + 3 + 2] = 1.0f;  // image 1, pixel 1, blue
  samples[12] = 1.0f;         // image 2, pixel 0, red
  const Image sheet = image_sheet({.height = 1, .width = 2, .channels = 3}, samples, 2);
  EXPECT_EQ(sheet.width, 10U);
  EXPECT_EQ(sheet.height, 8U);
  Image expected(10, 8, 3);
  expected.pixel(7, 2)[2] = 255;
  expected.pixel(2, 5)[0] = 255;
  EXPECT_EQ(sheet.pixels, expected.pixels);
}

TEST(Sheet, is_enlarged_by_whole_pixels_until_people_see_something) {
  Image sheet(250, 2, 3);
  sheet.pixel(249, 1)[1] = 7;
  const Image large = enlarged(sheet);
  EXPECT_EQ(large.width, 750U);
  EXPECT_EQ(large.height, 6U);
  EXPECT_EQ(large.channels, 3U);
  EXPECT_EQ(large.pixel(747, 3)[1], 7);
  EXPECT_EQ(large.pixel(749, 5)[1], 7);
  EXPECT_EQ(large.pixel(746, 3)[1], 0);
  EXPECT_EQ(large.pixel(747, 2)[1], 0);
  EXPECT_EQ(enlarged(Image(600, 1, 1)).width, 600U);
}

TEST(GridSheet, lays_tiles_out_as_the_torus) {
  std::vector<Image> tiles;
  for (std::uint8_t i = 0; i < 6; ++i) tiles.emplace_back(4, 3, 1, static_cast<std::uint8_t>(i));
  const Image sheet = grid_sheet(tiles, 2, 3);
  EXPECT_EQ(sheet.width, 3 * 4 + 4 * 6U);
  EXPECT_EQ(sheet.height, 2 * 3 + 3 * 6U);
  EXPECT_EQ(*sheet.pixel(6, 6), 0);
  EXPECT_EQ(*sheet.pixel(6 + 10 + 3, 6 + 2), 1);
  EXPECT_EQ(*sheet.pixel(6 + 20, 6 + 9), 5);
  EXPECT_EQ(*sheet.pixel(0, 0), 96);
  EXPECT_EQ(*sheet.pixel(6 + 4, 7), 96);
}

TEST(SampleSheet, shows_points_as_a_scatter_plot_and_images_as_images) {
  const auto points = open_dataset("ring8", {});
  const std::vector<float> origin{0.0f, 0.0f};
  const Image plot = sample_sheet(*points, origin, 8, 300);
  EXPECT_EQ(plot.pixels,
            scatter_plot(origin, points->modes(), extent_of(points->modes()), 300).pixels);
}

TEST(SampleSheet, shows_the_condition_left_of_the_result) {
  const auto pairs = open_dataset("glyph-edges", {});
  std::vector<float> sample(pairs->shape().size(), -1.0f);
  const auto at = [&](std::size_t x, std::size_t y, std::size_t c) -> float& {
    return sample[(y * 32 + x) * 2 + c];
  };
  at(3, 0, 0) = 1.0f;
  at(5, 31, 1) = 1.0f;
  const Image sheet = sample_sheet(*pairs, sample, 1, 300);
  Image expected(2 + 64 + 2, 2 + 32 + 2, 1);
  *expected.pixel(2 + 3, 2) = 255;
  *expected.pixel(2 + 32 + 5, 2 + 31) = 255;
  EXPECT_EQ(sheet.width, expected.width);
  EXPECT_EQ(sheet.height, expected.height);
  EXPECT_EQ(sheet.pixels, expected.pixels);
}

}  // namespace
}  // namespace lipizz::data::sheet_test
