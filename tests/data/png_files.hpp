#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/support.hpp"

namespace lipizz::data {

enum class PngColour : std::uint8_t {
  kGrey = 0,
  kColour = 2,
  kPalette = 3,
  kGreyAlpha = 4,
  kColourAlpha = 6
};

inline Octets operator+(Octets a, const Octets& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A picture and how to store it as a PNG.
struct PngSource {
  [[nodiscard]] std::uint32_t n_stored() const {
    constexpr std::array<std::uint32_t, 7> kChannels{1, 0, 3, 1, 2, 0, 4};
    return kChannels[static_cast<std::size_t>(colour)];
  }
  [[nodiscard]] double most() const { return (1U << depth) - 1; }

  PngColour colour;
  int depth;
  std::uint32_t width;
  std::uint32_t height;
  bool is_interlaced;
  std::vector<std::uint16_t> samples;      // [height, width, n_stored()]
  Octets palette;                          // [entries, 3]
  std::vector<std::uint16_t> transparent;  // the key colour, or opacities of the first entries
  Octets more;                             // chunks before the pixels
  std::uint32_t claimed_width = width;
  std::uint32_t claimed_height = height;
};

/// Samples that take all values.
inline PngSource counting_source(PngColour colour, int depth, std::uint32_t width,
                                 std::uint32_t height, bool is_interlaced) {
  PngSource source{colour, depth, width, height, is_interlaced, {}, {}, {}, {}};
  for (std::size_t i = 0; i < std::size_t{width} * height * source.n_stored(); ++i) {
    source.samples.push_back(static_cast<std::uint16_t>(i * 40503 >> 3 & ((1U << depth) - 1)));
  }
  if (colour != PngColour::kPalette) return source;
  for (int i = 0; i < 3 << depth; ++i) source.palette.push_back(static_cast<std::uint8_t>(73 * i));
  return source;
}

inline Octets big_endian(std::uint32_t word) {
  return {static_cast<std::uint8_t>(word >> 24), static_cast<std::uint8_t>(word >> 16),
          static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word)};
}

inline Octets png_chunk(std::string_view name, const Octets& content) {
  const Octets body = Octets(name.begin(), name.end()) + content;
  const auto sum =
      static_cast<std::uint32_t>(crc32(0, body.data(), static_cast<uInt>(body.size())));
  return big_endian(static_cast<std::uint32_t>(content.size())) + body + big_endian(sum);
}

/// The unfiltered rows of every `step`th pixel from (x0, y0) on.
inline Octets png_rows(const PngSource& source, std::array<std::uint32_t, 4> start_and_step) {
  const auto [x0, y0, x_step, y_step] = start_and_step;
  Octets rows;
  for (std::uint32_t y = y0; y < source.height && x0 < source.width; y += y_step) {
    rows.push_back(0);  // no filter
    int n_bits_used = 8;
    for (std::uint32_t x = x0; x < source.width; x += x_step) {
      for (std::uint32_t c = 0; c < source.n_stored(); ++c) {
        const std::uint32_t sample =
            source.samples[(std::size_t{y} * source.width + x) * source.n_stored() + c];
        if (source.depth == 16) rows.push_back(static_cast<std::uint8_t>(sample >> 8));
        if (n_bits_used == 8) rows.push_back(0);
        n_bits_used = source.depth >= 8 ? 8 : n_bits_used % 8 + source.depth;
        rows.back() |= static_cast<std::uint8_t>(sample << (8 - n_bits_used));
      }
    }
  }
  return rows;
}

inline Octets png_pixels(const PngSource& source) {
  if (!source.is_interlaced) return png_rows(source, {0, 0, 1, 1});
  Octets rows;
  constexpr std::array<std::array<std::uint32_t, 4>, 7> kAdam7{{{0, 0, 8, 8},
                                                                {4, 0, 8, 8},
                                                                {0, 4, 4, 8},
                                                                {2, 0, 4, 4},
                                                                {0, 2, 2, 4},
                                                                {1, 0, 2, 2},
                                                                {0, 1, 1, 2}}};
  for (const auto& pass : kAdam7) rows = rows + png_rows(source, pass);
  return rows;
}

/// The bytes of the file, by the PNG specification and zlib alone.
inline Octets png_file(const PngSource& source) {
  const Octets pixels = png_pixels(source);
  uLongf n_bytes = compressBound(pixels.size());
  Octets compressed(n_bytes);
  compress(compressed.data(), &n_bytes, pixels.data(), pixels.size());
  compressed.resize(n_bytes);
  Octets keys;
  for (const std::uint16_t key : source.transparent) {
    if (source.colour != PngColour::kPalette) keys.push_back(static_cast<std::uint8_t>(key >> 8));
    keys.push_back(static_cast<std::uint8_t>(key));
  }
  Octets file{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  file = file +
         png_chunk("IHDR", big_endian(source.claimed_width) + big_endian(source.claimed_height) +
                               Octets{static_cast<std::uint8_t>(source.depth),
                                      static_cast<std::uint8_t>(source.colour), 0, 0,
                                      static_cast<std::uint8_t>(source.is_interlaced)});
  file = file + source.more;
  if (!source.palette.empty()) file = file + png_chunk("PLTE", source.palette);
  if (!keys.empty()) file = file + png_chunk("tRNS", keys);
  return file + png_chunk("IDAT", compressed) + png_chunk("IEND", {});
}

}  // namespace lipizz::data
