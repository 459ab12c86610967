#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nn/cuda/divisor.hpp"
#include "nn/cuda/work.hpp"
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

/// The three products of a convolution, over as many images at once as workspace is spent on.
class WindowProducts {
 public:
  /// Some of the images.
  struct Part {
    std::size_t first;
    std::size_t n;
  };

  /// `most`: elements of workspace, unless one image needs more.
  WindowProducts(const ConvolutionShape& shape, std::size_t most)
      : shape_(shape),
        windows_(shape),
        n_window_(static_cast<std::uint32_t>(shape.n_window())),
        n_of_image_(shape.n_positions() * n_window_ * shape.window.groups),
        at_once_(shape.is_plain() ? shape.x[0]
                                  : std::clamp<std::size_t>(most / n_of_image_, 1, shape.x[0])) {}

  [[nodiscard]] std::size_t n_workspace() const {
    return shape_.is_plain() ? 0 : at_once_ * n_of_image_;
  }

  [[nodiscard]] std::vector<Part> parts() const {
    std::vector<Part> all;
    for (std::size_t first = 0; first < shape_.x[0]; first += at_once_) {
      all.push_back({first, std::min(at_once_, shape_.x[0] - first)});
    }
    return all;
  }

  /// The windows of input 0's images into workspace.
  template <class Work>
  void gather(Work& work, const Part& part) const {
    if (shape_.is_plain()) return;
    const std::size_t first = part.first * windows_.image_size();
    work.each(part.n * n_of_image_,
              [windows = windows_, first] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
                const std::uint32_t pixel = windows.pixel_at(i);
                o.workspace[i] = pixel == Windows::kNowhere ? 0.0f : o.in(0)[first + pixel];
              });
  }

  /// All that stands in workspace for each element of the result's images, summed up.
  template <class Work>
  void scatter(Work& work, const Part& part) const {
    if (shape_.is_plain()) return;
    const std::size_t first = part.first * windows_.image_size();
    work.each(part.n * windows_.image_size(),
              [windows = windows_, first] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
                o.out()[first + i] = windows.sum_at(o.workspace, i);
              });
  }

  /// [position, n_window] of each group: in workspace, or the images themselves, which are this
  /// operand.
  [[nodiscard]] Matrix matrix_of_windows(const Part& part, std::uint32_t images) const {
    const std::uint32_t row = n_window_ * shape_.window.groups;
    if (shape_.is_plain()) return {images, row, part.first * n_of_image_, n_window_};
    return {Matrix::kWorkspace, row, 0, n_window_};
  }
  /// [position, output] of each group.
  [[nodiscard]] Matrix outputs(const Part& part, std::uint32_t operand) const {
    return {operand, shape_.y[3], part.first * shape_.n_positions() * shape_.y[3], n_outputs()};
  }
  /// [n_window, output] of each group.
  [[nodiscard]] Matrix weights(std::uint32_t operand) const {
    return {operand, shape_.y[3], 0, n_outputs()};
  }

  [[nodiscard]] std::uint32_t n_rows(const Part& part) const {
    return static_cast<std::uint32_t>(part.n * shape_.n_positions());
  }
  [[nodiscard]] std::uint32_t n_window() const { return n_window_; }
  [[nodiscard]] std::uint32_t n_outputs() const { return shape_.y[3] / shape_.window.groups; }
  [[nodiscard]] std::uint32_t n_groups() const { return shape_.window.groups; }

 private:
  ConvolutionShape shape_;
  Windows windows_;
  std::uint32_t n_window_;
  std::size_t n_of_image_;  // elements of its windows
  std::size_t at_once_;     // images
};

}  // namespace lipizz::nn::cuda
