#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "data/dataset.hpp"

namespace lipizz::data {

inline constexpr std::uint32_t kGlyphExtent = 28;

/// The built-in dataset: 60,000 + 10,000 handwritten-looking digits, 28x28 grey, white on black,
/// with labels drawn uniformly from 0..9. Made in a second or two from strokes (glyph_styles.hpp)
/// under a random style, smooth warp, aspect, slant, rotation, size, place and pen; centred and
/// scaled like MNIST. The same bytes everywhere: no step uses the C library's functions.
DatasetSource find_glyphs(const OpenOptions& options);

/// Draws glyph `index` of the endless sequence that find_glyphs() cuts its samples from.
/// pixels: [28, 28]. Returns its label.
std::uint8_t draw_glyph(std::uint32_t index, std::span<std::uint8_t> pixels);

}  // namespace lipizz::data
