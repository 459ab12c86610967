#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/dataset.hpp"
#include "data/image.hpp"

namespace lipizz::data {

/// Pixels that a sheet that people look at is wide at least.
inline constexpr std::uint32_t kSheetWidth = 600;

/// One picture of samples [n, sample size], as fits the dataset: image_sheet(), of pairs with the
/// condition left of the result, or a scatter_plot() of this size that marks the modes.
Image sample_sheet(const Dataset& dataset, std::span<const float> samples, std::uint32_t columns,
                   std::uint32_t plot_size);

/// The shape of the picture that shows a sample: of a pair its two halves side by side.
SampleShape picture_shape(SampleShape sample, bool is_pair);

/// The pixels of these pictures: [n, picture_shape().size()]. samples: [n, sample.size()] in
/// [-1, 1], clamped; NaN is black.
std::vector<std::uint8_t> sample_pixels(SampleShape sample, bool is_pair,
                                        std::span<const float> samples);

/// The same picture with every pixel as many times in both directions as it takes to be kSheetWidth
/// wide or more.
Image enlarged(const Image& sheet);

/// Images side by side, `columns` to a row, two pixels apart, the last row filled up with black.
/// samples: [n, shape.size()] in [-1, 1], clamped; NaN is black.
Image image_sheet(SampleShape shape, std::span<const float> samples, std::uint32_t columns);

/// The same of pixels: [n, shape.size()].
Image tile_sheet(SampleShape shape, std::span<const std::uint8_t> pixels, std::uint32_t columns);

/// Pictures of all cells, laid out as the torus with borders between.
/// tiles: [rows * columns] in row-major order, all of one size. Grey and colour may not be mixed.
Image grid_sheet(std::span<const Image> tiles, std::uint32_t rows, std::uint32_t columns);

}  // namespace lipizz::data
