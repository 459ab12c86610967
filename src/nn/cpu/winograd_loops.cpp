#include "nn/cpu/winograd_loops.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/simd.hpp"
#include "nn/cpu/constant_parts.hpp"
#include "nn/cpu/winograd_lines.hpp"

// Built with fused products, which is why bits are those of a level.
namespace lipizz::nn {
namespace {

// Tiles whose sums stay in registers together.
template <class Registers>
constexpr std::size_t kMostTiles = Registers::kMost;

template <class T, std::size_t n>
using Square = Line<Line<T, n>, n>;

// Takes the rows of a square, and then its columns, through a function of lines.
template <std::size_t to, class T, std::size_t from, class OfLine>
LIPIZZ_INLINE void transform(const Square<T, from>& in, Square<T, to>& out, const OfLine& of_line) {
  std::array<Line<T, to>, from> rows;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < from; ++i) rows[i] = of_line(in[i]);
#pragma GCC unroll 4
  for (std::size_t j = 0; j < to; ++j) {
    Line<T, from> column;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < from; ++i) column[i] = rows[i][j];
    const Line<T, to> result = of_line(column);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < to; ++i) out[i][j] = result[i];
  }
}

// Calls with each pixel of a square that is inside of the images, and its place. top, left: of the
// square, huge if above or beside.
template <bool is_inside, std::size_t edge, class Visit>
LIPIZZ_INLINE void for_pixels(const WinogradTiles::Images& images, std::size_t top,
                              std::size_t left, const Visit& visit) {
  const std::size_t line = images.width * images.channels;
  const std::size_t first = top * line + left * images.channels;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < edge; ++i) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < edge; ++j) {
      if (is_inside || (top + i < images.height && left + j < images.width)) {
        visit(i, j, first + i * line + j * images.channels);
      }
    }
  }
}

// Calls with true, as a constant, where the whole square lies inside.
template <std::size_t edge, class Call>
LIPIZZ_INLINE void where(const WinogradTiles::Images& images, std::size_t top, std::size_t left,
                         const Call& call) {
  const bool is_inside = top < images.height && top + edge <= images.height &&
                         left < images.width && left + edge <= images.width;
  if (is_inside) {
    call(std::true_type());
  } else {
    call(std::false_type());
  }
}

// Writes the points of sixteen channels of a square of pixels, `apart` floats from one to the next.
template <class Registers, std::size_t edge, class OfLine>
LIPIZZ_INLINE void points_of_square(const WinogradTiles::Images& images, const float* image,
                                    std::size_t top, std::size_t left, float* points,
                                    std::size_t apart, const OfLine& of_line) {
  using Vector = typename Registers::Vector;
  constexpr std::size_t kLanes = Outputs<Registers>::kLanes;
  where<edge>(images, top, left, [&](auto is_inside) LIPIZZ_INLINE_LAMBDA {
    for (std::size_t lane = 0; lane < kDirectOutputs; lane += kLanes) {
      Square<Vector, edge> pixels{};
      for_pixels<is_inside(), edge>(
          images, top, left,
          [&](std::size_t i, std::size_t j, std::size_t at) LIPIZZ_INLINE_LAMBDA {
            std::memcpy(&pixels[i][j], image + at + lane, sizeof(Vector));
          });
      Square<Vector, 4> result;
      transform<4>(pixels, result, of_line);
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kWinogradPoints; ++p) {
        std::memcpy(points + p * apart + lane, &result[p / 4][p % 4], sizeof(Vector));
      }
    }
  });
}

template <class Registers>
LIPIZZ_INLINE void positions_of_points(const WinogradTiles::Images& images, const float* points,
                                       std::size_t apart, std::size_t top, std::size_t left,
                                       float* image) {
  using Vector = typename Registers::Vector;
  constexpr std::size_t kLanes = Outputs<Registers>::kLanes;
  for (std::size_t lane = 0; lane < kDirectOutputs; lane += kLanes) {
    Square<Vector, 4> square;
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kWinogradPoints; ++p) {
      std::memcpy(&square[p / 4][p % 4], points + p * apart + lane, sizeof(Vector));
    }
    Square<Vector, 2> positions;
    transform<2>(square, positions, [](const Line<Vector, 4>& line) LIPIZZ_INLINE_LAMBDA {
      return MinimalFiltering<2, 3>::to_positions(line);
    });
    where<2>(images, top, left, [&](auto is_inside) LIPIZZ_INLINE_LAMBDA {
      for_pixels<is_inside(), 2>(
          images, top, left,
          [&](std::size_t i, std::size_t j, std::size_t at) LIPIZZ_INLINE_LAMBDA {
            std::memcpy(image + at + lane, &positions[i][j], sizeof(Vector));
          });
    });
  }
}

LIPIZZ_INLINE std::size_t size_of(const WinogradTiles::Images& images) {
  return images.height * images.width * images.channels;
}

struct Place {
  std::size_t image, row, column;

  Place(const WinogradTiles& tiles, std::size_t index)
      : image(index / (tiles.down() * tiles.across())),
        row(index / tiles.across() % tiles.down()),
        column(index % tiles.across()) {}

  LIPIZZ_INLINE void go_on(const WinogradTiles& tiles) {
    if (++column < tiles.across()) return;
    column = 0;
    if (++row < tiles.down()) return;
    row = 0;
    ++image;
  }
};

// Calls with n tiles, each with the one that has its turn `together` tiles later.
template <std::size_t together, class Each>
LIPIZZ_INLINE void for_tiles(const WinogradTiles& tiles, std::size_t first, std::size_t n,
                             const Each& each) {
  Place place(tiles, first);
  Place ahead(tiles, first + together);
  for (std::size_t i = 0; i < n; ++i, place.go_on(tiles), ahead.go_on(tiles)) each(i, place, ahead);
}

// Has four pixels of a tile, if there is such a one, fetched to the first cache, to be written or
// read; the first of them from the tile's own on in both directions.
template <int is_written>
LIPIZZ_INLINE void fetch(const WinogradTiles& tiles, const WinogradTiles::Images& images,
                         const Place& place, std::size_t first, const float* channels) {
  if (place.image >= tiles.n_images) return;
  const std::size_t line = images.width * images.channels;
  const float* pixel = channels + place.image * size_of(images) + (2 * place.row + first) * line +
                       (2 * place.column + first) * images.channels;
  __builtin_prefetch(pixel, is_written);
  __builtin_prefetch(pixel + images.channels, is_written);
  __builtin_prefetch(pixel + line, is_written);
  __builtin_prefetch(pixel + line + images.channels, is_written);
}

// Points of x: [16, group_inputs / 16, n, 16]; of outputs: [16, n, 16].
template <class Registers, std::size_t together>
LIPIZZ_INLINE void points_of_images(const WinogradTiles& tiles, std::size_t first, std::size_t n,
                                    const float* x, float* points) {
  for_tiles<together>(
      tiles, first, n,
      [&](std::size_t i, const Place& place, const Place& ahead) LIPIZZ_INLINE_LAMBDA {
        for (std::size_t c = 0; c < tiles.group_inputs; c += kDirectOutputs) {
          // Those of four by four pixels that no tile before reads.
          fetch<0>(tiles, tiles.x, ahead, 2 - tiles.padding, x + c);
          points_of_square<Registers, 4>(
              tiles.x, x + place.image * size_of(tiles.x) + c, 2 * place.row - tiles.padding,
              2 * place.column - tiles.padding, points + c * n + i * kDirectOutputs,
              tiles.group_inputs * n, [](const auto& line) LIPIZZ_INLINE_LAMBDA {
                return MinimalFiltering<2, 3>::of_pixels(line);
              });
        }
      });
}

template <class Registers>
LIPIZZ_INLINE void points_of_positions(const WinogradTiles& tiles, std::size_t first, std::size_t n,
                                       const float* y, float* points) {
  for_tiles<kMostWinogradTiles>(
      tiles, first, n,
      [&](std::size_t i, const Place& place, const Place& ahead) LIPIZZ_INLINE_LAMBDA {
        fetch<0>(tiles, tiles.y, ahead, 0, y);
        points_of_square<Registers, 2>(
            tiles.y, y + place.image * size_of(tiles.y), 2 * place.row, 2 * place.column,
            points + i * kDirectOutputs, n * kDirectOutputs,
            [](const auto& line)
                LIPIZZ_INLINE_LAMBDA { return MinimalFiltering<2, 3>::of_positions(line); });
      });
}

// One point of n tiles: that of their inputs, [n_inputs / 16, n, 16], makes room for that of their
// outputs, [n, 16]. weights: [n_inputs, 16]
template <class Registers, std::size_t n>
LIPIZZ_INLINE void multiply(std::size_t n_inputs, float* points, const float* weights) {
  const float* x = points;
  Outputs<Registers> sums[n];
#pragma GCC unroll 32
  for (std::size_t i = 0; i < n; ++i) sums[i].clear();
  for (std::size_t block = 0; block < n_inputs; block += kDirectOutputs) {
    for (std::size_t c = 0; c < kDirectOutputs; ++c, ++x, weights += kDirectOutputs) {
      Outputs<Registers> weight;
      weight.load(weights);
#pragma GCC unroll 32
      for (std::size_t i = 0; i < n; ++i) sums[i].add(x[i * kDirectOutputs], weight);
    }
    x += (n - 1) * kDirectOutputs;
  }
#pragma GCC unroll 32
  for (std::size_t i = 0; i < n; ++i) sums[i].store(points + i * kDirectOutputs);
}

// One point of some channels, from n tiles. x: [n, 16] from the first of them on; dy: [n, 16]
template <class Registers, std::size_t n_channels>
LIPIZZ_INLINE void add_products(std::size_t n, const float* x, const float* dy, float* weights) {
  Outputs<Registers> sums[n_channels];
#pragma GCC unroll 16
  for (std::size_t c = 0; c < n_channels; ++c) sums[c].load(weights + c * kDirectOutputs);
  for (std::size_t i = 0; i < n; ++i, x += kDirectOutputs, dy += kDirectOutputs) {
    Outputs<Registers> derivative;
    derivative.load(dy);
#pragma GCC unroll 16
    for (std::size_t c = 0; c < n_channels; ++c) sums[c].add(x[c], derivative);
  }
#pragma GCC unroll 16
  for (std::size_t c = 0; c < n_channels; ++c) sums[c].store(weights + c * kDirectOutputs);
}

template <class Registers>
LIPIZZ_INLINE void convolve(const WinogradTiles& tiles, std::size_t first, std::size_t n_tiles,
                            const float* x, const float* weights, float* y, float* points) {
  for_each_part<kMostTiles<Registers>>(n_tiles, [&](std::size_t begin,
                                                    auto n) LIPIZZ_INLINE_LAMBDA {
    const std::size_t apart = tiles.group_inputs * n;
    points_of_images<Registers, kMostTiles<Registers>>(tiles, first + begin, n, x, points);
    for (std::size_t p = 0; p < kWinogradPoints; ++p) {
      multiply<Registers, n>(tiles.group_inputs, points + p * apart,
                             weights + p * tiles.group_inputs * kDirectOutputs);
    }
    for_tiles<kMostTiles<Registers>>(
        tiles, first + begin, n,
        [&](std::size_t i, const Place& place, const Place& ahead) LIPIZZ_INLINE_LAMBDA {
          fetch<1>(tiles, tiles.y, ahead, 0, y);
          positions_of_points<Registers>(tiles.y, points + i * kDirectOutputs, apart, 2 * place.row,
                                         2 * place.column, y + place.image * size_of(tiles.y));
        });
  });
}

template <class Registers>
LIPIZZ_INLINE void add_weight_gradient(const WinogradTiles& tiles, std::size_t first,
                                       std::size_t n_tiles, const float* x, const float* dy,
                                       float* weights, float* workspace) {
  for (std::size_t begin = 0; begin < n_tiles; begin += kMostWinogradTiles) {
    const std::size_t n = std::min(kMostWinogradTiles, n_tiles - begin);
    float* const points = workspace;
    float* const derivatives = workspace + kWinogradPoints * tiles.group_inputs * n;
    points_of_images<Registers, kMostWinogradTiles>(tiles, first + begin, n, x, points);
    points_of_positions<Registers>(tiles, first + begin, n, dy, derivatives);
    for (std::size_t p = 0; p < kWinogradPoints; ++p) {
      for (std::size_t block = 0; block < tiles.group_inputs; block += kDirectOutputs) {
        for_each_part<Registers::kMost>(
            kDirectOutputs, [&](std::size_t c, auto n_channels) LIPIZZ_INLINE_LAMBDA {
              add_products<Registers, n_channels>(
                  n, points + (p * tiles.group_inputs + block) * n + c,
                  derivatives + p * n * kDirectOutputs,
                  weights + (p * tiles.group_inputs + block + c) * kDirectOutputs);
            });
      }
    }
  }
}

void convolve_baseline(const WinogradTiles& tiles, std::size_t first, std::size_t n, const float* x,
                       const float* weights, float* y, float* workspace) {
  convolve<BaselineRegisters>(tiles, first, n, x, weights, y, workspace);
}
void add_gradient_baseline(const WinogradTiles& tiles, std::size_t first, std::size_t n,
                           const float* x, const float* dy, float* weights, float* workspace) {
  add_weight_gradient<BaselineRegisters>(tiles, first, n, x, dy, weights, workspace);
}
constexpr WinogradLoops kBaselineLoops{convolve_baseline, add_gradient_baseline};

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] void convolve_avx2(const WinogradTiles& tiles, std::size_t first,
                                                     std::size_t n, const float* x,
                                                     const float* weights, float* y,
                                                     float* workspace) {
  convolve<Avx2Registers>(tiles, first, n, x, weights, y, workspace);
}
[[gnu::target("arch=x86-64-v3")]] void add_gradient_avx2(const WinogradTiles& tiles,
                                                         std::size_t first, std::size_t n,
                                                         const float* x, const float* dy,
                                                         float* weights, float* workspace) {
  add_weight_gradient<Avx2Registers>(tiles, first, n, x, dy, weights, workspace);
}
constexpr WinogradLoops kAvx2Loops{convolve_avx2, add_gradient_avx2};

[[gnu::target("arch=x86-64-v4")]] void convolve_avx512(const WinogradTiles& tiles,
                                                       std::size_t first, std::size_t n,
                                                       const float* x, const float* weights,
                                                       float* y, float* workspace) {
  convolve<Avx512Registers>(tiles, first, n, x, weights, y, workspace);
}
[[gnu::target("arch=x86-64-v4")]] void add_gradient_avx512(const WinogradTiles& tiles,
                                                           std::size_t first, std::size_t n,
                                                           const float* x, const float* dy,
                                                           float* weights, float* workspace) {
  add_weight_gradient<Avx512Registers>(tiles, first, n, x, dy, weights, workspace);
}
constexpr WinogradLoops kAvx512Loops{convolve_avx512, add_gradient_avx512};
#endif

constexpr std::array kCompiled {
  kBaselineLoops,
#if defined(__x86_64__)
      kAvx2Loops, kAvx512Loops,
#endif
};

}  // namespace

const WinogradLoops& winograd_loops(NumericsLevel level) {
  return at_level(kCompiled, level);
}

}  // namespace lipizz::nn
