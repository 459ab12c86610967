#pragma once

#include <cstddef>
#include <cstdint>

#include "nn/cuda/divisor.hpp"
#include "nn/graph/convolution.hpp"

/// im2col: the windows of a convolution's images as a matrix, so that its products are products of
/// matrices (Chellapilla, Puri and Simard 2006).
namespace lipizz::nn::cuda {

/// The windows of a convolution's images as rows of a matrix: [image, position, group, k, k,
/// channel of the group].
class Windows {
 public:
  static constexpr std::uint32_t kNowhere = ~0U;

  explicit Windows(const ConvolutionShape& s)
      : height_(s.x[1]),
        width_(s.x[2]),
        channels_(s.x[3]),
        out_height_(s.y[1]),
        out_width_(s.y[2]),
        kernel_(s.window.kernel),
        taps_(kernel_.value() * kernel_.value()),
        stride_(s.window.stride),
        group_channels_(s.x[3] / s.window.groups),
        groups_(s.window.groups),
        padding_(s.window.padding) {}

  [[nodiscard]] constexpr std::size_t image_size() const {
    return std::size_t{height_.value()} * width_.value() * channels_.value();
  }

  /// The element of the images that stands at `i` of the matrix; nowhere: padding.
  [[nodiscard]] constexpr std::uint32_t pixel_at(std::size_t i) const {
    const std::uint32_t c = group_channels_.remainder(i);
    std::uint32_t rest = group_channels_.quotient(i);
    const std::uint32_t tap = taps_.remainder(rest);
    rest = taps_.quotient(rest);
    const std::uint32_t group = groups_.remainder(rest);
    rest = groups_.quotient(rest);
    const std::uint32_t column = out_width_.remainder(rest);
    rest = out_width_.quotient(rest);
    // Huge in front of the image.
    const std::uint32_t h =
        out_height_.remainder(rest) * stride_.value() + kernel_.quotient(tap) - padding_;
    const std::uint32_t w = column * stride_.value() + kernel_.remainder(tap) - padding_;
    if (h >= height_.value() || w >= width_.value()) return kNowhere;
    const std::uint32_t pixel =
        (out_height_.quotient(rest) * height_.value() + h) * width_.value() + w;
    return pixel * channels_.value() + group * group_channels_.value() + c;
  }

  /// The sum of a matrix's elements that stand for element `i` of the images.
  [[nodiscard]] constexpr float sum_at(const float* matrix, std::size_t i) const {
    const std::uint32_t channel = channels_.remainder(i);
    const std::uint32_t pixel = channels_.quotient(i);
    const std::uint32_t w = width_.remainder(pixel) + padding_;
    const std::uint32_t h = height_.remainder(width_.quotient(pixel)) + padding_;
    const std::uint32_t image = height_.quotient(width_.quotient(pixel));
    const std::uint32_t group = group_channels_.quotient(channel);
    float sum = 0;
    for (std::uint32_t k_row = 0; k_row < kernel_.value(); ++k_row) {
      const std::uint32_t row = position(h - k_row, out_height_.value());
      if (row == kNowhere) continue;
      for (std::uint32_t k_column = 0; k_column < kernel_.value(); ++k_column) {
        const std::uint32_t column = position(w - k_column, out_width_.value());
        if (column == kNowhere) continue;
        const std::uint32_t place =
            (image * out_height_.value() + row) * out_width_.value() + column;
        const std::uint32_t tap = k_row * kernel_.value() + k_column;
        const std::uint32_t window = (place * groups_.value() + group) * taps_.value() + tap;
        sum += matrix[std::size_t{window} * group_channels_.value() +
                      group_channels_.remainder(channel)];
      }
    }
    return sum;
  }

 private:
  // The position whose window begins so many pixels after the padding does; `from` is huge in front
  // of it.
  [[nodiscard]] constexpr std::uint32_t position(std::uint32_t from, std::uint32_t n) const {
    if (from >= n * stride_.value() || stride_.remainder(from) != 0) return kNowhere;
    return stride_.quotient(from);
  }

  Divisor height_, width_, channels_;
  Divisor out_height_, out_width_;
  Divisor kernel_, taps_, stride_;
  Divisor group_channels_, groups_;
  std::uint32_t padding_;
};

}  // namespace lipizz::nn::cuda
