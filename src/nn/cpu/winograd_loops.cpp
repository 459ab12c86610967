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

// Tiles whose sums stay in registers together; thirteen at most, so that the points of sixteen
// channels and of their weights leave some of the first cache to pixels and positions (ADR 70).
template <class Registers>
constexpr std::size_t kMostTiles = std::min<std::size_t>(Registers::kMost, 13);

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
    const Line<T, to> result = column_of(rows, j, of_line);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < to; ++i) out[i][j] = result[i];
  }
}

// The squares of pixels of tiles, row after row of one image after the other.
template <std::size_t edge>
class Squares {
 public:
  LIPIZZ_INLINE Squares(const WinogradTiles& tiles, const WinogradTiles::Images& images,
                        std::size_t padding, std::size_t first)
      : across_(tiles.across()),
        down_(tiles.down()),
        images_(images),
        padding_(padding),
        column_(first % across_),
        row_(first / across_ % down_),
        image_(first / across_ / down_) {
    find();
  }

  LIPIZZ_INLINE void go_on() {
    left_ += 2;
    at_ += 2 * images_.channels;
    if (++column_ < across_) return;
    column_ = 0;
    if (++row_ == down_) {
      row_ = 0;
      ++image_;
    }
    find();
  }

  [[nodiscard]] LIPIZZ_INLINE bool is_inside() const {
    return has_row(0) && has_row(edge - 1) && has_column(0) && has_column(edge - 1);
  }
  [[nodiscard]] LIPIZZ_INLINE bool has_row(std::size_t i) const {
    return top_ + i < images_.height;
  }
  [[nodiscard]] LIPIZZ_INLINE bool has_column(std::size_t j) const {
    return left_ + j < images_.width;
  }
  // Floats from the first pixel of all to one of the square, which may lie outside.
  [[nodiscard]] LIPIZZ_INLINE std::size_t at(std::size_t i, std::size_t j) const {
    return at_ + (i * images_.width + j) * images_.channels;
  }

 private:
  LIPIZZ_INLINE void find() {
    top_ = 2 * row_ - padding_;
    left_ = 2 * column_ - padding_;
    at_ = ((image_ * images_.height + top_) * images_.width + left_) * images_.channels;
  }

  std::size_t across_, down_;
  WinogradTiles::Images images_;
  std::size_t padding_;
  std::size_t column_, row_, image_;
  std::size_t top_ = 0, left_ = 0;  // huge if above or beside
  std::size_t at_ = 0;
};

constexpr float kZeros[kDirectOutputs]{};

// A vector of each pixel of a square, from a lane on.
template <class Vector, std::size_t edge>
LIPIZZ_INLINE void load_pixels(const Squares<edge>& square, const float* images,
                               Square<Vector, edge>& pixels) {
  const auto load_where = [&](const auto& is_there) LIPIZZ_INLINE_LAMBDA {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < edge; ++i) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < edge; ++j) {
        const float* from = is_there(i, j) ? images + square.at(i, j) : kZeros;
        std::memcpy(&pixels[i][j], from, sizeof(Vector));
      }
    }
  };
  if (square.is_inside()) {
    load_where([](std::size_t, std::size_t) LIPIZZ_INLINE_LAMBDA { return true; });
  } else {
    load_where([&](std::size_t i, std::size_t j)
                   LIPIZZ_INLINE_LAMBDA { return square.has_row(i) && square.has_column(j); });
  }
}

// Points of n tiles, each of sixteen channels: [16, most, 16].
template <class Registers, std::size_t most, std::size_t edge, class OfLine>
LIPIZZ_INLINE void points_of_squares(Squares<edge> square, std::size_t n, const float* images,
                                     float* points, const OfLine& of_line) {
  using Vector = typename Registers::Vector;
  for (std::size_t i = 0; i < n; ++i, square.go_on(), points += kDirectOutputs) {
    for (std::size_t lane = 0; lane < kDirectOutputs; lane += Outputs<Registers>::kLanes) {
      Square<Vector, edge> pixels;
      load_pixels(square, images + lane, pixels);
      Square<Vector, 4> result;
      transform<4>(pixels, result, of_line);
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kWinogradPoints; ++p) {
        std::memcpy(points + p * most * kDirectOutputs + lane, &result[p / 4][p % 4],
                    sizeof(Vector));
      }
    }
  }
}

// Those of x: [group_inputs / 16, 16, most, 16].
template <class Registers, std::size_t most>
LIPIZZ_INLINE void points_of_images(const WinogradTiles& tiles, std::size_t first, std::size_t n,
                                    const float* x, float* points) {
  for (std::size_t c = 0; c < tiles.group_inputs; c += kDirectOutputs) {
    points_of_squares<Registers, most>(Squares<4>(tiles, tiles.x, tiles.padding, first), n, x + c,
                                       points + c * kWinogradPoints * most,
                                       [](const auto& line) LIPIZZ_INLINE_LAMBDA {
                                         return MinimalFiltering<2, 3>::of_pixels(line);
                                       });
  }
}

// points: [16, most, 16]
template <class Registers, std::size_t most>
LIPIZZ_INLINE void positions_of_points(Squares<2> square, std::size_t n, const float* points,
                                       float* images) {
  using Vector = typename Registers::Vector;
  for (std::size_t i = 0; i < n; ++i, square.go_on(), points += kDirectOutputs) {
    for (std::size_t lane = 0; lane < kDirectOutputs; lane += Outputs<Registers>::kLanes) {
      Square<Vector, 4> of_tile;
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kWinogradPoints; ++p) {
        std::memcpy(&of_tile[p / 4][p % 4], points + p * most * kDirectOutputs + lane,
                    sizeof(Vector));
      }
      Square<Vector, 2> positions;
      transform<2>(of_tile, positions, [](const Line<Vector, 4>& line) LIPIZZ_INLINE_LAMBDA {
        return MinimalFiltering<2, 3>::to_positions(line);
      });
#pragma GCC unroll 4
      for (std::size_t p = 0; p < 4; ++p) {
        if (!square.has_row(p / 2) || !square.has_column(p % 2)) continue;
        std::memcpy(images + square.at(p / 2, p % 2) + lane, &positions[p / 2][p % 2],
                    sizeof(Vector));
      }
    }
  }
}

// Has the pixels and positions of tiles brought to the second cache, one tile at a time.
class TileFetcher {
 public:
  template <class Y>
  LIPIZZ_INLINE TileFetcher(const WinogradTiles& tiles, const TileRange<Y>& range)
      : tiles_(tiles),
        x_(range.x),
        y_(range.y),
        n_left_(range.n),
        of_x_(tiles, tiles.x, tiles.padding, range.first),
        of_y_(tiles, tiles.y, 0, range.first) {}

  LIPIZZ_INLINE void fetch_one() {
    if (n_left_ == 0) return;
    --n_left_;
    for (std::size_t c = 0; c < tiles_.group_inputs; c += kDirectOutputs) {
      fetch(of_x_, 2, x_ + c);  // the lower right: most others are those of tiles before
    }
    fetch(of_y_, 0, y_);
    of_x_.go_on();
    of_y_.go_on();
  }

 private:
  // Four pixels, the first of them that many on in both directions.
  template <std::size_t edge>
  static LIPIZZ_INLINE void fetch(const Squares<edge>& square, std::size_t first,
                                  const float* channels) {
#pragma GCC unroll 4
    for (std::size_t p = 0; p < 4; ++p) {
      // Those beyond an edge are others, or none, which a processor leaves out; above the first
      // image the offset is negative.
      const auto at = static_cast<std::ptrdiff_t>(square.at(first + p / 2, first + p % 2));
      __builtin_prefetch(channels + at, 0, 2);
    }
  }

  const WinogradTiles& tiles_;
  const float* x_;
  const float* y_;
  std::size_t n_left_;
  Squares<4> of_x_;
  Squares<2> of_y_;
};

// One point of n tiles: that of their inputs, [n_inputs / 16, 16, most, 16], makes room for that of
// their outputs, [n, 16]. weights: [n_inputs, 16]
template <class Registers, std::size_t n>
LIPIZZ_INLINE void multiply(std::size_t n_inputs, float* points, const float* weights) {
  const float* x = points;
  Outputs<Registers> sums[n];
#pragma GCC unroll 32
  for (std::size_t i = 0; i < n; ++i) sums[i].clear();
  for (std::size_t block = 0; block < n_inputs; block += kDirectOutputs) {
    for (std::size_t c = 0; c < kDirectOutputs; ++c, weights += kDirectOutputs) {
      Outputs<Registers> weight;
      weight.load(weights);
#pragma GCC unroll 32
      for (std::size_t i = 0; i < n; ++i) sums[i].add(x[c + i * kDirectOutputs], weight);
    }
    x += kWinogradPoints * kMostTiles<Registers> * kDirectOutputs;
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

// The rest of a range after some of its tiles or, where nothing is left, the next one.
template <class Y>
LIPIZZ_INLINE TileRange<Y> after(const TileRange<Y>& range, std::size_t n_done,
                                 const TileRange<Y>& next) {
  if (n_done >= range.n) return next;
  return {range.first + n_done, range.n - n_done, range.x, range.y};
}

template <class Registers>
LIPIZZ_INLINE void convolve(const WinogradTiles& tiles, const TileRange<float>& range,
                            const TileRange<float>& next, const float* weights, float* points) {
  constexpr std::size_t kMost = kMostTiles<Registers>;
  for_each_part<kMost>(range.n, [&](std::size_t begin, auto n) LIPIZZ_INLINE_LAMBDA {
    const std::size_t first = range.first + begin;
    points_of_images<Registers, kMost>(tiles, first, n, range.x, points);
    TileFetcher next_tiles(tiles, after(range, begin + n, next));
    for (std::size_t p = 0; p < kWinogradPoints; ++p) {
      if (p < kMost) next_tiles.fetch_one();
      multiply<Registers, n>(tiles.group_inputs, points + p * kMost * kDirectOutputs,
                             weights + p * tiles.group_inputs * kDirectOutputs);
    }
    positions_of_points<Registers, kMost>(Squares<2>(tiles, tiles.y, 0, first), n, points, range.y);
  });
}

template <class Registers>
LIPIZZ_INLINE void add_weight_gradient(const WinogradTiles& tiles,
                                       const TileRange<const float>& range,
                                       const TileRange<const float>& next, float* weights,
                                       float* workspace) {
  constexpr std::size_t kMost = kMostWinogradTiles;
  float* const points = workspace;
  float* const derivatives = workspace + kWinogradPoints * tiles.group_inputs * kMost;
  for (std::size_t begin = 0; begin < range.n; begin += kMost) {
    const std::size_t first = range.first + begin;
    const std::size_t n = std::min(kMost, range.n - begin);
    points_of_images<Registers, kMost>(tiles, first, n, range.x, points);
    points_of_squares<Registers, kMost>(Squares<2>(tiles, tiles.y, 0, first), n, range.y,
                                        derivatives, [](const auto& line) LIPIZZ_INLINE_LAMBDA {
                                          return MinimalFiltering<2, 3>::of_positions(line);
                                        });
    TileFetcher next_tiles(tiles, after(range, begin + n, next));
    for (std::size_t p = 0; p < kWinogradPoints; ++p) {
      next_tiles.fetch_one();
      for (std::size_t block = 0; block < tiles.group_inputs; block += kDirectOutputs) {
        for_each_part<Registers::kMost>(
            kDirectOutputs, [&](std::size_t c, auto n_channels) LIPIZZ_INLINE_LAMBDA {
              add_products<Registers, n_channels>(
                  n, points + (block * kWinogradPoints + p * kDirectOutputs) * kMost + c,
                  derivatives + p * kMost * kDirectOutputs,
                  weights + (p * tiles.group_inputs + block + c) * kDirectOutputs);
            });
      }
    }
  }
}

void convolve_baseline(const WinogradTiles& tiles, const TileRange<float>& range,
                       const TileRange<float>& next, const float* weights, float* workspace) {
  convolve<BaselineRegisters>(tiles, range, next, weights, workspace);
}
void add_gradient_baseline(const WinogradTiles& tiles, const TileRange<const float>& range,
                           const TileRange<const float>& next, float* weights, float* workspace) {
  add_weight_gradient<BaselineRegisters>(tiles, range, next, weights, workspace);
}
constexpr WinogradLoops kBaselineLoops{convolve_baseline, add_gradient_baseline};

#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] void convolve_avx2(const WinogradTiles& tiles,
                                                     const TileRange<float>& range,
                                                     const TileRange<float>& next,
                                                     const float* weights, float* workspace) {
  convolve<Avx2Registers>(tiles, range, next, weights, workspace);
}
[[gnu::target("arch=x86-64-v3")]] void add_gradient_avx2(const WinogradTiles& tiles,
                                                         const TileRange<const float>& range,
                                                         const TileRange<const float>& next,
                                                         float* weights, float* workspace) {
  add_weight_gradient<Avx2Registers>(tiles, range, next, weights, workspace);
}
constexpr WinogradLoops kAvx2Loops{convolve_avx2, add_gradient_avx2};

[[gnu::target("arch=x86-64-v4")]] void convolve_avx512(const WinogradTiles& tiles,
                                                       const TileRange<float>& range,
                                                       const TileRange<float>& next,
                                                       const float* weights, float* workspace) {
  convolve<Avx512Registers>(tiles, range, next, weights, workspace);
}
[[gnu::target("arch=x86-64-v4")]] void add_gradient_avx512(const WinogradTiles& tiles,
                                                           const TileRange<const float>& range,
                                                           const TileRange<const float>& next,
                                                           float* weights, float* workspace) {
  add_weight_gradient<Avx512Registers>(tiles, range, next, weights, workspace);
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
