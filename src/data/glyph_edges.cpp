#include "data/glyph_edges.hpp"

#include <array>
#include <utility>

#include "data/glyphs.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint32_t kNTrain = 10'000;
constexpr std::uint32_t kNTest = 1'000;
constexpr std::uint32_t kMargin = 2;
constexpr std::uint32_t kExtent = kGlyphExtent + 2 * kMargin;
constexpr std::uint32_t kPixels = kExtent * kExtent;

using Pixels = std::array<std::uint8_t, kPixels>;

Pixels glyph_in_a_margin(std::uint32_t index) {
  std::array<std::uint8_t, std::size_t{kGlyphExtent} * kGlyphExtent> glyph;
  draw_glyph(index, glyph);
  Pixels pixels{};
  for (std::uint32_t i = 0; i < glyph.size(); ++i) {
    const std::uint32_t y = kMargin + i / kGlyphExtent;
    pixels[y * kExtent + kMargin + i % kGlyphExtent] = glyph[i];
  }
  return pixels;
}

// The margin is black, so that a white pixel has four beside it.
std::uint8_t outline(const Pixels& pixels, std::uint32_t i) {
  const auto is_white = [&](std::uint32_t place) { return pixels[place] >= 128; };
  if (!is_white(i)) return 0;
  const bool is_inside =
      is_white(i - 1) && is_white(i + 1) && is_white(i - kExtent) && is_white(i + kExtent);
  return is_inside ? 0 : 255;
}

void draw_pair(std::uint32_t index, std::span<std::uint8_t> sample) {
  const Pixels pixels = glyph_in_a_margin(index);
  for (std::uint32_t i = 0; i < kPixels; ++i) {
    sample[std::size_t{2} * i] = outline(pixels, i);
    sample[std::size_t{2} * i + 1] = pixels[i];
  }
}

}  // namespace

DatasetSource find_glyph_edges(const OpenOptions&) {
  Description about;
  about.name = "glyph-edges";
  about.shape = {.height = kExtent, .width = kExtent, .channels = 2};
  about.n_condition_channels = 1;
  about.n_train = kNTrain;
  about.n_test = kNTest;
  return {std::move(about), [](const Content& content) {
            constexpr std::size_t kPair = std::size_t{2} * kPixels;
            for (std::uint32_t i = 0; i < kNTrain + kNTest; ++i) {
              draw_pair(i, content.pixels.subspan(i * kPair, kPair));
            }
          }};
}

}  // namespace lipizz::data
