#pragma once

#include "nn/cuda/elementwise.hpp"
#include "nn/cuda/work.hpp"
#include "nn/graph/convolution.hpp"

/// Convolutions summed up position by position, in double: of more than one group, and of any shape
/// that cuDNN has no way for. All others are cuDNN's (nn/cuda/cudnn.hpp).
namespace lipizz::nn::cuda {

/// A convolution from images x [n, H, W, C] to output positions y [n, H', W', O] as numbers.
struct Positions {
  explicit Positions(const ConvolutionShape& s)
      : height(s.x[1]),
        width(s.x[2]),
        channels(s.x[3]),
        n_images(s.x[0]),
        out_height(s.y[1]),
        out_width(s.y[2]),
        outputs(s.y[3]),
        kernel(s.window.kernel),
        stride(s.window.stride),
        padding(s.window.padding),
        group_channels(s.x[3] / s.window.groups),
        group_outputs(s.y[3] / s.window.groups) {}

  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  /// The pixel of an image row or column that an output position's window has at `k`; nowhere:
  /// padding.
  [[nodiscard]] constexpr std::size_t pixel(std::size_t position, std::size_t k,
                                            std::size_t dimension) const {
    const std::size_t at = position * stride + k - padding;  // huge in front of the image
    return at < dimension ? at : kNowhere;
  }
  /// The position whose window has this pixel at `k`; nowhere: none.
  [[nodiscard]] constexpr std::size_t position(std::size_t pixel, std::size_t k,
                                               std::size_t dimension) const {
    const std::size_t at = pixel + padding - k;
    if (pixel + padding < k || at % stride != 0 || at / stride >= dimension) return kNowhere;
    return at / stride;
  }

  std::size_t height, width, channels, n_images;
  std::size_t out_height, out_width, outputs;
  std::size_t kernel, stride, padding;
  std::size_t group_channels, group_outputs;  // of one group
};

template <class Work>
void convolution(Work& work) {
  if (work.convolve(ConvolutionProduct::kForward)) return finish_product(work);
  const Positions p(convolution_shape(work.graph(), work.value()));
  work.each(work.size(), [p] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t out = i % p.outputs;
    const std::size_t column = i / p.outputs % p.out_width;
    const std::size_t row = i / p.outputs / p.out_width % p.out_height;
    const std::size_t image = i / p.outputs / p.out_width / p.out_height;
    double sum = 0;
    for (std::size_t k = 0; k < p.kernel * p.kernel; ++k) {
      const std::size_t h = p.pixel(row, k / p.kernel, p.height);
      const std::size_t w = p.pixel(column, k % p.kernel, p.width);
      if (h == Positions::kNowhere || w == Positions::kNowhere) continue;
      const std::size_t pixel = (image * p.height + h) * p.width + w;
      const float* x = o.in(0) + pixel * p.channels + out / p.group_outputs * p.group_channels;
      const float* weights = o.in(1) + k * p.group_channels * p.outputs + out;
      for (std::size_t c = 0; c < p.group_channels; ++c) {
        sum += static_cast<double>(x[c]) * static_cast<double>(weights[c * p.outputs]);
      }
    }
    o.out()[i] = static_cast<float>(sum);
  });
  finish_product(work);
}

template <class Work>
void transposed_convolution(Work& work) {
  if (work.convolve(ConvolutionProduct::kInputGradient)) return finish_product(work);
  const Positions p(convolution_shape(work.graph(), work.value()));
  work.each(work.size(), [p] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t c = i % p.channels;
    const std::size_t w = i / p.channels % p.width;
    const std::size_t h = i / p.channels / p.width % p.height;
    const std::size_t image = i / p.channels / p.width / p.height;
    double sum = 0;
    for (std::size_t k = 0; k < p.kernel * p.kernel; ++k) {
      const std::size_t row = p.position(h, k / p.kernel, p.out_height);
      const std::size_t column = p.position(w, k % p.kernel, p.out_width);
      if (row == Positions::kNowhere || column == Positions::kNowhere) continue;
      const std::size_t position = (image * p.out_height + row) * p.out_width + column;
      const std::size_t first = c / p.group_channels * p.group_outputs;  // output of the group
      const float* y = o.in(0) + position * p.outputs + first;
      const float* weights =
          o.in(1) + (k * p.group_channels + c % p.group_channels) * p.outputs + first;
      for (std::size_t out = 0; out < p.group_outputs; ++out) {
        sum += static_cast<double>(y[out]) * static_cast<double>(weights[out]);
      }
    }
    o.out()[i] = static_cast<float>(sum);
  });
  finish_product(work);
}

template <class Work>
void convolution_weight_gradient(Work& work) {
  if (work.convolve(ConvolutionProduct::kWeightGradient)) return;
  const Positions p(convolution_shape(work.graph(), work.value()));
  const std::size_t n_positions = p.n_images * p.out_height * p.out_width;
  work.sums(
      work.size(), n_positions,
      [p] LIPIZZ_DEVICE(const Operands& o, std::size_t i, std::size_t position) {
        const std::size_t out = i % p.outputs;
        const std::size_t group = out / p.group_outputs;
        const std::size_t c = group * p.group_channels + i / p.outputs % p.group_channels;
        const std::size_t k = i / p.outputs / p.group_channels;
        const std::size_t column = position % p.out_width;
        const std::size_t row = position / p.out_width % p.out_height;
        const std::size_t image = position / p.out_width / p.out_height;
        const std::size_t h = p.pixel(row, k / p.kernel, p.height);
        const std::size_t w = p.pixel(column, k % p.kernel, p.width);
        if (h == Positions::kNowhere || w == Positions::kNowhere) return 0.0;
        const float x = o.in(0)[((image * p.height + h) * p.width + w) * p.channels + c];
        return static_cast<double>(x) * static_cast<double>(o.in(1)[position * p.outputs + out]);
      },
      [] LIPIZZ_DEVICE(const Operands& o, std::size_t i, double sum) {
        o.out()[i] = static_cast<float>(sum);
      });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto convolution_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kConvolution, convolution},
      {&kTransposedConvolution, transposed_convolution},
      {&kConvolutionWeightGradient, convolution_weight_gradient},
  });
}

}  // namespace lipizz::nn::cuda
