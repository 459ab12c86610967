#include "nn/cpu/direct_convolution.hpp"

#include <algorithm>

#include "nn/cpu/direct_loops.hpp"
#include "nn/cpu/direct_packing.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/node_kernel.hpp"
#include "nn/cpu/onednn_engine.hpp"
#include "nn/cpu/rank_update.hpp"

namespace lipizz::nn {
namespace {

// As many lines are packed at a time as fit here: few enough to stay in the second cache with what
// is written.
constexpr std::size_t kBandFloats = 24 << 10;

// Output lines that are computed at a time.
std::size_t band_of(const ImagePacking& packing, std::size_t kernel, std::size_t height) {
  const std::size_t n_lines = kBandFloats / (packing.parts * packing.line_size());
  return std::clamp<std::size_t>(n_lines, kernel, height + kernel - 1) - (kernel - 1);
}

std::size_t band_floats(const ImagePacking& packing, std::size_t n_lines) {
  return packing.parts * n_lines * packing.line_size();
}

std::size_t workspace_floats(const ConvolutionShape& shape) {
  const std::size_t kernel = shape.window.kernel;
  const ImagePacking images = packed_images(shape);
  const ImagePacking padded = padded_positions(shape);
  const std::size_t band = band_of(images, kernel, shape.y[1]);
  const std::size_t transposed_band = band_of(padded, kernel, shape.x[1]);
  return DirectWeights(shape).size() + std::max(band_floats(images, band + kernel - 1) +
                                                    band_floats(packed_positions(shape), band),
                                                band_floats(padded, transposed_band + kernel - 1));
}

std::size_t workspace_bytes_of(const ConvolutionShape& shape, const Engine&) {
  return workspace_floats(shape) * sizeof(float);
}

// The common part of the three: a band of an image's lines is packed, and goes through the loops
// with every sixteen outputs.
class DirectConvolution : public NodeKernel {
 public:
  [[nodiscard]] std::size_t n_workspace() const override { return workspace_floats(shape_); }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

 protected:
  using PackingOf = ImagePacking (*)(const ConvolutionShape& shape);
  // packing: of the images that windows lie in; results: the shape of the windows' positions.
  DirectConvolution(const Graph& graph, ValueId value, PackingOf packing,
                    Shape ConvolutionShape::*results)
      : NodeKernel(graph, value),
        shape_(convolution_shape(graph, value)),
        packing_(packing(shape_)),
        results_(shape_.*results),
        weights_(shape_),
        band_(band_of(packing_, shape_.window.kernel, results_[1])),
        loops_(direct_loops(onednn_level())) {}

  [[nodiscard]] float* weights() const { return workspace_; }
  [[nodiscard]] float* lines() const { return workspace_ + weights_.size(); }
  [[nodiscard]] std::size_t line_size_of_results() const {
    return std::size_t{results_[2]} * results_[3];
  }

  // Calls with the shape of each band of results, whose windows lie in lines(), and its first line,
  // counted over all images. x: what the windows lie in.
  template <class Each>
  void for_each_band(const float* x, const Each& each) const {
    const std::size_t kernel = shape_.window.kernel;
    const std::size_t image_size =
        packing_.height * packing_.width * packing_.parts * packing_.channels;
    for (std::size_t image = 0; image < results_[0]; ++image, x += image_size) {
      for (std::size_t h = 0; h < results_[1]; h += band_) {
        const std::size_t n_lines = std::min<std::size_t>(band_, results_[1] - h);
        packing_.pack(x, h, n_lines + kernel - 1, lines());
        each(DirectShape{n_lines, results_[2], kernel, packing_.channels}, image * results_[1] + h);
      }
    }
  }
  // Calls with the place of every sixteen outputs, the packed lines of their group, and their
  // packed weights.
  template <class Each>
  void for_each_block(const DirectShape& shape, std::size_t outputs, const Each& each) const {
    const std::size_t group_outputs = outputs / packing_.parts;
    const std::size_t group_size = (shape.height + shape.kernel - 1) * shape.line_size();
    const std::size_t n_taps = shape.kernel * shape.n_line_taps();
    for (std::size_t o = 0; o < outputs; o += kDirectOutputs) {
      each(o, lines() + o / group_outputs * group_size, weights() + o * n_taps);
    }
  }

  ConvolutionShape shape_;
  ImagePacking packing_;
  Shape results_;
  DirectWeights weights_;
  std::size_t band_;  // lines of results
  const DirectLoops& loops_;

 private:
  float* workspace_ = nullptr;
};

// The results of windows.
class Convolving : public DirectConvolution {
 public:
  void run(float* const* values) override {
    (weights_.*pack_)(input(values, 1), weights());
    for_each_band(input(values, 0), [&](const DirectShape& shape, std::size_t first_line) {
      float* y = result(values) + first_line * line_size_of_results();
      for_each_block(shape, results_[3], [&](std::size_t o, const float* x, const float* weights) {
        loops_.convolve(shape, x, weights, y + o, results_[3]);
      });
      finish_rows(attributes().activation, input(values, 2), y,
                  shape.height * line_size_of_results(), results_[3]);
    });
  }

 protected:
  using Pack = void (DirectWeights::*)(const float* weights, float* packed) const;
  Convolving(const Graph& graph, ValueId value, PackingOf packing, Shape ConvolutionShape::*results,
             Pack pack)
      : DirectConvolution(graph, value, packing, results), pack_(pack) {}

 private:
  Pack pack_;
};

struct Forward final : Convolving {
  Forward(const Graph& graph, ValueId value)
      : Convolving(graph, value, packed_images, &ConvolutionShape::y, &DirectWeights::pack) {}
};

struct Transposed final : Convolving {
  Transposed(const Graph& graph, ValueId value)
      : Convolving(graph, value, padded_positions, &ConvolutionShape::x,
                   &DirectWeights::pack_transposed) {}
};

class WeightGradient final : public DirectConvolution {
 public:
  WeightGradient(const Graph& graph, ValueId value)
      : DirectConvolution(graph, value, packed_images, &ConvolutionShape::y),
        positions_(packed_positions(shape_)) {}

  void run(float* const* values) override {
    std::fill_n(weights(), weights_.size(), 0.0f);
    for_each_band(input(values, 0), [&](const DirectShape& shape, std::size_t first_line) {
      float* const derivatives = lines() + band_floats(packing_, shape.height + shape.kernel - 1);
      positions_.pack(input(values, 1) + first_line * line_size_of_results(), 0, shape.height,
                      derivatives);
      for_each_block(shape, results_[3], [&](std::size_t o, const float* x, float* weights) {
        loops_.add_weight_gradient(shape, x, derivatives + o * shape.height * shape.width, weights);
      });
    });
    weights_.unpack(weights(), result(values));
  }

 private:
  ImagePacking positions_;
};

// The weight gradient of plain windows, where all that is multiplied lies in order.
class PlainWeightGradient final : public NodeKernel {
 public:
  PlainWeightGradient(const Graph& graph, ValueId value)
      : NodeKernel(graph, value),
        shape_(convolution_shape(graph, value)),
        update_(rank_update(onednn_level())) {}

  [[nodiscard]] std::size_t n_workspace() const override { return workspace_floats(shape_); }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

  void run(float* const* values) override {
    const std::size_t n_rows = shape_.x[0] * shape_.n_positions();
    const std::size_t n_window = shape_.n_window();
    const std::size_t n_outputs = shape_.y[3];
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    float* weights = result(values);
    if (n_outputs % kDirectOutputs == 0) {
      std::fill_n(weights, n_window * n_outputs, 0.0f);
      return update_(n_rows, x, n_window, dy, n_outputs, weights);
    }
    std::fill_n(workspace_, n_window * n_outputs, 0.0f);
    update_(n_rows, dy, n_outputs, x, n_window, workspace_);
    for (std::size_t i = 0; i < n_window; ++i) {
      for (std::size_t o = 0; o < n_outputs; ++o) *weights++ = workspace_[o * n_window + i];
    }
  }

 private:
  ConvolutionShape shape_;
  RankUpdate update_;
  float* workspace_ = nullptr;
};

std::unique_ptr<Kernel<float>> make_weight_gradient(const Graph& graph, ValueId value, Precision) {
  if (convolution_shape(graph, value).is_plain()) {
    return std::make_unique<PlainWeightGradient>(graph, value);
  }
  return std::make_unique<WeightGradient>(graph, value);
}

}  // namespace

constinit const ConvolutionAlgorithmKernels kDirectConvolution{
    {make_convolution_kernel<Forward>, workspace_bytes_of},
    {make_convolution_kernel<Transposed>, workspace_bytes_of},
    {make_weight_gradient, workspace_bytes_of}};

}  // namespace lipizz::nn
