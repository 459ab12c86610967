#include "nn/cpu/winograd_convolution.hpp"

#include <algorithm>
#include <vector>

#include "nn/cpu/chunked_convolution.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/winograd.hpp"

namespace lipizz::nn {
namespace {

template <std::size_t edge>  // positions of a tile in one direction
std::size_t chunk_of(const ConvolutionShape& shape) {
  return winograd_images_at_a_time(shape, edge);
}

// The matrices of points. Their sizes are powers of two for most layers: without some lines between
// one and the next all points of a tile would share a set of each cache, and without a gap between
// rows so would rows that a product reads together. In bf16, where rows follow each other, passes
// pack one factor and gradients of weights both.
struct PointMatrices {
  static constexpr std::size_t kGap = 16;      // between rows: a line of floats
  static constexpr std::size_t kBetween = 32;  // between matrices: whole lines in both precisions

  PointMatrices(std::size_t rows, std::size_t columns, std::size_t gap)
      : pitch(columns + gap), apart(rows * pitch + kBetween) {}

  // Those that begin there.
  template <class Number>
  [[nodiscard]] Winograd::Points<Number> at(Number* first) const {
    return {first, apart, pitch};
  }

  std::size_t pitch;  // numbers from one row to the next
  std::size_t apart;  // and from one matrix to the next
};

// Rows of weights whose points are there together in a pass. Those in bf16 are packed, and wait for
// it in the second cache: half a megabyte of them, but at least as many rows as are packed at once.
std::size_t rows_at_a_time(const Winograd& winograd, Precision precision) {
  if (precision != Precision::kBf16) return winograd.depth();
  constexpr std::size_t kBytes = 1 << 19;
  const std::size_t n = kBytes / (winograd.n_points() * winograd.n_outputs() * sizeof(Bf16));
  return std::min(std::max(n / kVectorLanes, std::size_t{1}) * kVectorLanes, winograd.depth());
}

template <std::size_t edge, bool is_pass>
std::size_t bytes_of(const ConvolutionShape& shape, Precision precision) {
  const Winograd winograd(shape, edge);
  const std::size_t n_tiles = chunk_of<edge>(shape) * winograd.n_tiles();
  const std::size_t depth = winograd.depth();
  const std::size_t n_outputs = winograd.n_outputs();
  const auto size = [](std::size_t rows, std::size_t columns) {
    return PointMatrices(rows, columns, PointMatrices::kGap).apart;
  };
  const std::size_t n_rows = is_pass ? rows_at_a_time(winograd, precision) : depth;
  return winograd.n_points() * sizeof(float) *
         (size(n_tiles, depth) + size(n_tiles, n_outputs) + size(n_rows, n_outputs));
}

template <std::size_t edge>
ChunkSizes::Weights weights_of(const ConvolutionShape& shape) {
  const Winograd winograd(shape, edge);
  return {winograd.n_points(), winograd.depth(), winograd.n_outputs()};
}

template <std::size_t edge>
constexpr ChunkSizes kSizesOfPass{chunk_of<edge>, bytes_of<edge, true>, weights_of<edge>};
template <std::size_t edge>
constexpr ChunkSizes kSizesOfGradient{chunk_of<edge>, bytes_of<edge, false>, ChunkSizes::none};

// The common part of the three products: matrices of images, positions and weights, one for each
// point. Factors of products in bf16 are written rounded, into half of their place or less.
class WinogradConvolution : public ChunkedConvolution {
 protected:
  WinogradConvolution(const Graph& graph, ValueId value, Precision precision, std::size_t edge,
                      const ChunkSizes& sizes)
      : ChunkedConvolution(graph, value, precision, sizes),
        winograd_(shape_, edge),
        n_tiles_(chunk_ * winograd_.n_tiles()),
        depth_(winograd_.depth()),
        gap_(rounds_factors() ? 0 : PointMatrices::kGap),
        of_images_(n_tiles_, depth_, gap_),
        of_positions_(n_tiles_, n_outputs_, gap_),
        of_weights_(depth_, n_outputs_, gap_) {}

  [[nodiscard]] float* images(std::size_t point = 0) const {
    return workspace() + point * of_images_.apart;
  }
  [[nodiscard]] float* positions(std::size_t point = 0) const {
    return images(winograd_.n_points()) + point * of_positions_.apart;
  }
  [[nodiscard]] float* weights(std::size_t point = 0) const {
    return positions(winograd_.n_points()) + point * of_weights_.apart;
  }

  // Write points as factors of products.
  void transform_images(const float* x) {
    write_factors(images(), of_images_,
                  [&](auto points) { winograd_.points_of_images(x, chunk_, points); });
  }
  void transform_positions(const float* y) {
    write_factors(positions(), of_positions_,
                  [&](auto points) { winograd_.points_of_positions(y, chunk_, points); });
  }
  [[nodiscard]] const float* factor_of_images(std::size_t point) const {
    return factor(images(), point * of_images_.apart);
  }
  [[nodiscard]] const float* factor_of_positions(std::size_t point) const {
    return factor(positions(), point * of_positions_.apart);
  }

  template <class Write>
  void write_factors(float* points, const PointMatrices& matrices, const Write& write) const {
    if (rounds_factors()) return write(matrices.at(reinterpret_cast<Bf16*>(points)));
    write(matrices.at(points));
  }
  [[nodiscard]] const float* factor(const float* points, std::size_t at) const {
    if (!rounds_factors()) return points + at;
    return reinterpret_cast<const float*>(reinterpret_cast<const Bf16*>(points) + at);
  }
  Winograd winograd_;
  std::size_t n_tiles_;  // of a chunk
  std::size_t depth_;
  std::size_t gap_;
  PointMatrices of_images_, of_positions_, of_weights_;
};

// A product of all images, or positions, with the same weights.
class WinogradPass : public WinogradConvolution {
 protected:
  WinogradPass(const Graph& graph, ValueId value, Precision precision, std::size_t edge)
      : WinogradConvolution(graph, value, precision, edge,
                            edge == 2 ? kSizesOfPass<2> : kSizesOfPass<4>),
        n_at_a_time_(
            rows_at_a_time(winograd_, rounds_factors() ? Precision::kBf16 : Precision::kF32)),
        of_rows_(n_at_a_time_, n_outputs_, gap_),
        factors_(winograd_.n_points()) {}

  void transform_weights(const float* values, const MatrixProduct& product) {
    for (std::size_t first = 0; first < depth_; first += n_at_a_time_) {
      const std::size_t n = std::min(n_at_a_time_, depth_ - first);
      write_factors(weights(), of_rows_,
                    [&](auto points) { winograd_.points_of_weights(values, first, n, points); });
      for (std::size_t p = 0; p < factors_.size(); ++p) {
        factors_[p] = packed(product, factor(weights(), p * of_rows_.apart), first, n, p);
      }
    }
  }

  std::size_t n_at_a_time_;            // rows of weights
  PointMatrices of_rows_;              // of so many
  std::vector<const float*> factors_;  // a matrix of weights for each point, maybe packed
};

class Forward : public WinogradPass {
 public:
  Forward(const Graph& graph, ValueId value, Precision precision, std::size_t edge)
      : WinogradPass(graph, value, precision, edge),
        product_(product({.rows = n_tiles_,
                          .columns = n_outputs_,
                          .terms = depth_,
                          .is_b_packed = true,
                          .gap = gap_,
                          .is_a_rounded = rounds_factors(),
                          .is_b_rounded = rounds_factors()})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    transform_weights(input(values, 1), product_);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      transform_images(x);
      for (std::size_t p = 0; p < winograd_.n_points(); ++p) {
        multiply(product_, factor_of_images(p), factors_[p], nullptr, positions(p));
      }
      winograd_.positions_of_points(of_positions_.at<const float>(positions()), chunk_, y);
      finish_rows(attributes().activation, input(values, 2), y, y_size(), shape_.y[3]);
    }
  }

 private:
  MatrixProduct product_;
};

class Transposed : public WinogradPass {
 public:
  Transposed(const Graph& graph, ValueId value, Precision precision, std::size_t edge)
      : WinogradPass(graph, value, precision, edge),
        product_(product({.rows = n_tiles_,
                          .columns = depth_,
                          .terms = n_outputs_,
                          .transpose_b = true,
                          .is_b_packed = true,
                          .gap = gap_,
                          .is_a_rounded = rounds_factors(),
                          .is_b_rounded = rounds_factors()})) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    transform_weights(input(values, 1), product_);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      transform_positions(y);
      for (std::size_t p = 0; p < winograd_.n_points(); ++p) {
        multiply(product_, factor_of_positions(p), factors_[p], nullptr, images(p));
      }
      winograd_.images_of_points(of_images_.at<const float>(images()), chunk_, x);
      finish_rows(attributes().activation, input(values, 2), x, x_size(), shape_.x[3]);
    }
  }

 private:
  MatrixProduct product_;
};

class WeightGradient : public WinogradConvolution {
 public:
  WeightGradient(const Graph& graph, ValueId value, Precision precision, std::size_t edge)
      : WinogradConvolution(graph, value, precision, edge,
                            edge == 2 ? kSizesOfGradient<2> : kSizesOfGradient<4>),
        products_(products({.rows = depth_,
                            .columns = n_outputs_,
                            .terms = n_tiles_,
                            .transpose_a = true,
                            .gap = gap_,
                            .is_a_rounded = rounds_factors(),
                            .is_b_rounded = rounds_factors()})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), dy += y_size()) {
      transform_images(x);
      transform_positions(dy);
      for (std::size_t p = 0; p < winograd_.n_points(); ++p) {
        multiply(products_[i == 0 ? 0 : 1], factor_of_images(p), factor_of_positions(p), nullptr,
                 weights(p));
      }
    }
    winograd_.weights_of_points(of_weights_.at<const float>(weights()), result(values));
  }

 private:
  std::vector<MatrixProduct> products_;  // the first chunk's, the others'
};

template <class Base, std::size_t edge>
struct WithTiles final : Base {
  WithTiles(const Graph& graph, ValueId value, Precision precision)
      : Base(graph, value, precision, edge) {}
};

template <std::size_t edge>
constexpr ConvolutionAlgorithmKernels kKernels =
    algorithm_kernels<WithTiles<Forward, edge>, WithTiles<Transposed, edge>,
                      WithTiles<WeightGradient, edge>>(workspace_bytes_of<kSizesOfPass<edge>>,
                                                       workspace_bytes_of<kSizesOfGradient<edge>>);

}  // namespace

constinit const ConvolutionAlgorithmKernels kWinogradConvolution = kKernels<2>;
constinit const ConvolutionAlgorithmKernels kWinograd4Convolution = kKernels<4>;

}  // namespace lipizz::nn
