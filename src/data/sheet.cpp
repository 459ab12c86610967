#include "data/sheet.hpp"

#include <algorithm>
#include <vector>

#include "core/check.hpp"
#include "data/scatter.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint32_t kMargin = 2;
constexpr std::uint32_t kBorder = 6;
constexpr std::uint8_t kBorderGrey = 96;

/// How pictures of one size lie in rows and columns, `gap` pixels apart and around.
struct Tiling {
  std::uint32_t width;
  std::uint32_t height;
  std::uint32_t columns;
  std::uint32_t gap;

  [[nodiscard]] Image canvas(std::uint32_t rows, std::uint32_t channels, std::uint8_t fill) const {
    return {gap + columns * (width + gap), gap + rows * (height + gap), channels, fill};
  }
  [[nodiscard]] std::uint32_t x(std::size_t tile) const {
    return gap + static_cast<std::uint32_t>(tile % columns) * (width + gap);
  }
  [[nodiscard]] std::uint32_t y(std::size_t tile) const {
    return gap + static_cast<std::uint32_t>(tile / columns) * (height + gap);
  }
};

}  // namespace

Image sample_sheet(const Dataset& dataset, std::span<const float> samples, std::uint32_t columns,
                   std::uint32_t plot_size) {
  if (dataset.kind() == SampleKind::kPoint) {
    return scatter_plot(samples, dataset.modes(), extent_of(dataset.modes()), plot_size);
  }
  const bool is_pair = dataset.n_condition_channels() > 0;
  return tile_sheet(picture_shape(dataset.shape(), is_pair),
                    sample_pixels(dataset.shape(), is_pair, samples), columns);
}

SampleShape picture_shape(SampleShape sample, bool is_pair) {
  if (!is_pair) return sample;
  return {sample.height, 2 * sample.width, sample.channels / 2};
}

std::vector<std::uint8_t> sample_pixels(SampleShape sample, bool is_pair,
                                        std::span<const float> samples) {
  std::vector<std::uint8_t> pixels(samples.size());
  if (!is_pair) {
    std::ranges::transform(samples, pixels.begin(), to_pixel);
    return pixels;
  }
  const std::size_t half = sample.channels / 2;
  auto out = pixels.begin();
  for (; !samples.empty(); samples = samples.subspan(sample.width * 2 * half)) {
    for (const std::size_t part : {0, 1}) {
      for (std::size_t x = 0; x < sample.width; ++x) {
        out =
            std::ranges::transform(samples.subspan((2 * x + part) * half, half), out, to_pixel).out;
      }
    }
  }
  return pixels;
}

Image enlarged(const Image& sheet) {
  const std::uint32_t times = (kSheetWidth + sheet.width - 1) / sheet.width;
  Image large(times * sheet.width, times * sheet.height, sheet.channels);
  for (std::uint32_t y = 0; y < large.height; ++y) {
    for (std::uint32_t x = 0; x < large.width; ++x) {
      std::copy_n(sheet.pixel(x / times, y / times), sheet.channels, large.pixel(x, y));
    }
  }
  return large;
}

Image image_sheet(SampleShape shape, std::span<const float> samples, std::uint32_t columns) {
  return tile_sheet(shape, sample_pixels(shape, false, samples), columns);
}

Image tile_sheet(SampleShape shape, std::span<const std::uint8_t> pixels, std::uint32_t columns) {
  LIPIZZ_ASSERT(columns > 0 && pixels.size() % shape.size() == 0);
  const std::size_t n = pixels.size() / shape.size();
  const Tiling tiling{shape.width, shape.height, columns, kMargin};
  const auto rows = static_cast<std::uint32_t>((n + columns - 1) / columns);
  Image sheet = tiling.canvas(rows, shape.channels, 0);
  const std::uint32_t row_values = shape.width * shape.channels;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::uint32_t y = 0; y < shape.height; ++y) {
      const auto row = pixels.subspan(i * shape.size() + std::size_t{y} * row_values, row_values);
      std::ranges::copy(row, sheet.pixel(tiling.x(i), tiling.y(i) + y));
    }
  }
  return sheet;
}

Image grid_sheet(std::span<const Image> tiles, std::uint32_t rows, std::uint32_t columns) {
  LIPIZZ_ASSERT(!tiles.empty() && tiles.size() == std::size_t{rows} * columns);
  const Image& first = tiles.front();
  const Tiling tiling{first.width, first.height, columns, kBorder};
  Image sheet = tiling.canvas(rows, first.channels, kBorderGrey);
  const std::uint32_t row_bytes = first.width * first.channels;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    LIPIZZ_ASSERT(tiles[i].pixels.size() == first.pixels.size() && tiles[i].width == first.width);
    for (std::uint32_t y = 0; y < first.height; ++y) {
      std::copy_n(tiles[i].pixel(0, y), row_bytes, sheet.pixel(tiling.x(i), tiling.y(i) + y));
    }
  }
  return sheet;
}

}  // namespace lipizz::data
