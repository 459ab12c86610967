#include "nn/cpu/winograd_convolution.hpp"

#include <algorithm>
#include <vector>

#include "nn/cpu/chunked_convolution.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/winograd.hpp"

namespace lipizz::nn {
namespace {

// Points of images at a time are twice as many as those of the weights, which each chunk reads,
// within these bounds: products are worth their start, and memory is left.
constexpr std::size_t kLeastPointsBytes = 4 << 20;
constexpr std::size_t kMostPointsBytes = 64 << 20;

template <std::size_t edge>  // positions of a tile in one direction
std::size_t chunk_of(const ConvolutionShape& shape) {
  const Winograd winograd(shape, edge);
  const std::size_t n_rows = winograd.n_points() * winograd.n_tiles();
  const std::size_t n_weights = winograd.n_points() * winograd.depth() * winograd.n_outputs();
  return images_at_a_time(
      shape.x[0], n_rows * (winograd.depth() + winograd.n_outputs()) * sizeof(float),
      std::clamp(2 * n_weights * sizeof(float), kLeastPointsBytes, kMostPointsBytes));
}

// Numbers from the matrix of one point to that of the next: some lines more than it has, or all
// points of a tile would often share the same set of each cache.
constexpr std::size_t apart(std::size_t n_rows, std::size_t n_columns) {
  constexpr std::size_t kWholeLines = 32;  // of floats, and of bf16
  return n_rows * n_columns + kWholeLines;
}

template <std::size_t edge>
std::size_t bytes_of(const ConvolutionShape& shape) {
  const Winograd winograd(shape, edge);
  const std::size_t n_tiles = chunk_of<edge>(shape) * winograd.n_tiles();
  const std::size_t depth = winograd.depth();
  const std::size_t n_outputs = winograd.n_outputs();
  return winograd.n_points() * sizeof(float) *
         (apart(n_tiles, depth) + apart(n_tiles, n_outputs) + apart(depth, n_outputs));
}

template <std::size_t edge>
ChunkSizes::Weights weights_of(const ConvolutionShape& shape) {
  const Winograd winograd(shape, edge);
  return {winograd.n_points(), winograd.depth(), winograd.n_outputs()};
}

template <std::size_t edge>
constexpr ChunkSizes kSizesOfPass{chunk_of<edge>, bytes_of<edge>, weights_of<edge>};
template <std::size_t edge>
constexpr ChunkSizes kSizesOfGradient{chunk_of<edge>, bytes_of<edge>, ChunkSizes::none};

// Points of 4x4 positions lose too many digits to be rounded to bf16 where the next layer takes
// what is made of them (ADR 63); a gradient of weights goes no further (ADR 65).
constexpr Precision precision_of_pass(std::size_t edge, Precision precision) {
  return edge == 2 ? precision : Precision::kF32;
}

template <std::size_t edge>
std::size_t workspace_bytes_of_weight_gradient(const ConvolutionShape& shape, Precision precision) {
  return chunked_workspace_bytes(kSizesOfGradient<edge>, shape, precision);
}

template <std::size_t edge>
std::size_t workspace_bytes_of_pass(const ConvolutionShape& shape, Precision precision) {
  return chunked_workspace_bytes(kSizesOfPass<edge>, shape, precision_of_pass(edge, precision));
}

// The common part of the three products: matrices of images, positions and weights, one for each
// point. Factors of products in bf16 are written rounded, into half of their place.
class WinogradConvolution : public ChunkedConvolution {
 protected:
  WinogradConvolution(const Graph& graph, ValueId value, Precision precision, std::size_t edge,
                      const ChunkSizes& sizes)
      : ChunkedConvolution(graph, value, precision, sizes),
        winograd_(shape_, edge),
        n_tiles_(chunk_ * winograd_.n_tiles()),
        depth_(winograd_.depth()),
        images_apart_(apart(n_tiles_, depth_)),
        positions_apart_(apart(n_tiles_, n_outputs_)),
        weights_apart_(apart(depth_, n_outputs_)) {}

  [[nodiscard]] float* images(std::size_t point = 0) const {
    return workspace() + point * images_apart_;
  }
  [[nodiscard]] float* positions(std::size_t point = 0) const {
    return images(winograd_.n_points()) + point * positions_apart_;
  }
  [[nodiscard]] float* weights(std::size_t point = 0) const {
    return positions(winograd_.n_points()) + point * weights_apart_;
  }

  // Write points as factors of products.
  void transform_images(const float* x) {
    write_factors(images(), images_apart_,
                  [&](auto points) { winograd_.points_of_images(x, chunk_, points); });
  }
  void transform_positions(const float* y) {
    write_factors(positions(), positions_apart_,
                  [&](auto points) { winograd_.points_of_positions(y, chunk_, points); });
  }
  [[nodiscard]] const float* factor_of_images(std::size_t point) const {
    return factor(images(), point * images_apart_);
  }
  [[nodiscard]] const float* factor_of_positions(std::size_t point) const {
    return factor(positions(), point * positions_apart_);
  }

  template <class Write>
  void write_factors(float* points, std::size_t apart, const Write& write) const {
    if (rounds_factors()) {
      return write(Winograd::Points<Bf16>{reinterpret_cast<Bf16*>(points), apart});
    }
    write(Winograd::Points<float>{points, apart});
  }
  [[nodiscard]] const float* factor(const float* points, std::size_t at) const {
    if (!rounds_factors()) return points + at;
    return reinterpret_cast<const float*>(reinterpret_cast<const Bf16*>(points) + at);
  }

  Winograd winograd_;
  std::size_t n_tiles_;  // of a chunk
  std::size_t depth_;
  std::size_t images_apart_, positions_apart_, weights_apart_;  // from one matrix to the next
};

// A product of all images, or positions, with the same weights.
class WinogradPass : public WinogradConvolution {
 protected:
  WinogradPass(const Graph& graph, ValueId value, Precision precision, std::size_t edge)
      : WinogradConvolution(graph, value, precision_of_pass(edge, precision), edge,
                            edge == 2 ? kSizesOfPass<2> : kSizesOfPass<4>),
        factors_(winograd_.n_points()) {}

  void transform_weights(const float* values, const MatrixProduct& product) {
    write_factors(weights(), weights_apart_,
                  [&](auto points) { winograd_.points_of_weights(values, points); });
    for (std::size_t p = 0; p < factors_.size(); ++p) {
      factors_[p] = packed(product, factor(weights(), p * weights_apart_), p);
    }
  }

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
                          .are_factors_rounded = rounds_factors()})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    transform_weights(input(values, 1), product_);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      transform_images(x);
      for (std::size_t p = 0; p < winograd_.n_points(); ++p) {
        multiply(product_, factor_of_images(p), factors_[p], nullptr, positions(p));
      }
      winograd_.positions_of_points({positions(), positions_apart_}, chunk_, y);
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
                          .are_factors_rounded = rounds_factors()})) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    transform_weights(input(values, 1), product_);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      transform_positions(y);
      for (std::size_t p = 0; p < winograd_.n_points(); ++p) {
        multiply(product_, factor_of_positions(p), factors_[p], nullptr, images(p));
      }
      winograd_.images_of_points({images(), images_apart_}, chunk_, x);
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
                            .are_factors_rounded = rounds_factors()})) {}

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
    winograd_.weights_of_points({weights(), weights_apart_}, result(values));
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
                      WithTiles<WeightGradient, edge>>(workspace_bytes_of_pass<edge>,
                                                       workspace_bytes_of_weight_gradient<edge>);

}  // namespace

constinit const ConvolutionAlgorithmKernels kWinogradConvolution = kKernels<2>;
constinit const ConvolutionAlgorithmKernels kWinograd4Convolution = kKernels<4>;

}  // namespace lipizz::nn
