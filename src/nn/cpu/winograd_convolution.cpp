#include "nn/cpu/winograd_convolution.hpp"

#include <vector>

#include "nn/cpu/chunked_convolution.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/winograd.hpp"

namespace lipizz::nn {
namespace {

// Points of as many images at a time as fit here: few enough to stay near, enough for products
// that are worth their start.
constexpr std::size_t kPointsBytes = 4 << 20;

std::size_t chunk_of(const ConvolutionShape& shape) {
  const Winograd winograd(shape);
  const std::size_t n_rows = winograd.n_points() * winograd.n_tiles();
  return images_at_a_time(
      shape.x[0], n_rows * (winograd.depth() + winograd.n_outputs()) * sizeof(float), kPointsBytes);
}

std::size_t bytes_of(const ConvolutionShape& shape) {
  const Winograd winograd(shape);
  const std::size_t n_tiles = chunk_of(shape) * winograd.n_tiles();
  const std::size_t depth = winograd.depth();
  const std::size_t n_outputs = winograd.n_outputs();
  return winograd.n_points() * (n_tiles * (depth + n_outputs) + depth * n_outputs) * sizeof(float);
}

ChunkSizes::Weights weight_sizes(const ConvolutionShape& shape) {
  const Winograd winograd(shape);
  return {winograd.n_points(), winograd.depth(), winograd.n_outputs()};
}

constexpr ChunkSizes kSizes{chunk_of, bytes_of, weight_sizes};

std::size_t workspace_bytes_of(const ConvolutionShape& shape, Precision precision) {
  return chunked_workspace_bytes(kSizes, shape, precision);
}

// The common part of the three products: matrices of images, positions and weights, one for each
// point.
class WinogradConvolution : public ChunkedConvolution {
 protected:
  WinogradConvolution(const Graph& graph, ValueId value, Precision precision)
      : ChunkedConvolution(graph, value, precision, kSizes),
        winograd_(shape_),
        n_tiles_(chunk_ * winograd_.n_tiles()),
        depth_(winograd_.depth()),
        factors_(winograd_.n_points()),
        image_size_(chunk_ * winograd_.n_tiles() * winograd_.depth()),
        positions_size_(chunk_ * winograd_.n_tiles() * winograd_.n_outputs()),
        weights_size_(winograd_.depth() * winograd_.n_outputs()) {}

  [[nodiscard]] float* images(std::size_t point = 0) const {
    return workspace() + point * image_size_;
  }
  [[nodiscard]] float* positions(std::size_t point = 0) const {
    return images(winograd_.n_points()) + point * positions_size_;
  }
  [[nodiscard]] float* weights(std::size_t point = 0) const {
    return positions(winograd_.n_points()) + point * weights_size_;
  }

  // Leaves the points of weights in `factors_`, as products are given them.
  void transform_weights(const float* values, const MatrixProduct& product) {
    winograd_.points_of_weights(values, weights());
    for (std::size_t p = 0; p < factors_.size(); ++p) factors_[p] = packed(product, weights(p), p);
  }

  Winograd winograd_;
  std::size_t n_tiles_;  // of a chunk
  std::size_t depth_;
  std::vector<const float*> factors_;  // a matrix of weights for each point

 private:
  std::size_t image_size_, positions_size_, weights_size_;  // of one matrix
};

class Forward final : public WinogradConvolution {
 public:
  Forward(const Graph& graph, ValueId value, Precision precision)
      : WinogradConvolution(graph, value, precision),
        product_(product(
            {.rows = n_tiles_, .columns = n_outputs_, .terms = depth_, .is_b_packed = true})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    transform_weights(input(values, 1), product_);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      winograd_.points_of_images(x, chunk_, images());
      for (std::size_t p = 0; p < winograd_.n_points(); ++p) {
        multiply(product_, images(p), factors_[p], nullptr, positions(p));
      }
      winograd_.positions_of_points(positions(), chunk_, y);
      finish_rows(attributes().activation, input(values, 2), y, y_size(), shape_.y[3]);
    }
  }

 private:
  MatrixProduct product_;
};

class Transposed final : public WinogradConvolution {
 public:
  Transposed(const Graph& graph, ValueId value, Precision precision)
      : WinogradConvolution(graph, value, precision),
        product_(product({.rows = n_tiles_,
                          .columns = depth_,
                          .terms = n_outputs_,
                          .transpose_b = true,
                          .is_b_packed = true})) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    transform_weights(input(values, 1), product_);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      winograd_.points_of_positions(y, chunk_, positions());
      for (std::size_t p = 0; p < winograd_.n_points(); ++p) {
        multiply(product_, positions(p), factors_[p], nullptr, images(p));
      }
      winograd_.images_of_points(images(), chunk_, x);
      finish_rows(attributes().activation, input(values, 2), x, x_size(), shape_.x[3]);
    }
  }

 private:
  MatrixProduct product_;
};

class WeightGradient final : public WinogradConvolution {
 public:
  WeightGradient(const Graph& graph, ValueId value, Precision precision)
      : WinogradConvolution(graph, value, precision),
        products_(products(
            {.rows = depth_, .columns = n_outputs_, .terms = n_tiles_, .transpose_a = true})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), dy += y_size()) {
      winograd_.points_of_images(x, chunk_, images());
      winograd_.points_of_positions(dy, chunk_, positions());
      for (std::size_t p = 0; p < winograd_.n_points(); ++p) {
        multiply(products_[i == 0 ? 0 : 1], images(p), positions(p), nullptr, weights(p));
      }
    }
    winograd_.weights_of_points(weights(), result(values));
  }

 private:
  std::vector<MatrixProduct> products_;  // the first chunk's, the others'
};

}  // namespace

constinit const ConvolutionAlgorithmKernels kWinogradConvolution =
    algorithm_kernels<Forward, Transposed, WeightGradient>(workspace_bytes_of);

}  // namespace lipizz::nn
