#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "nn/cuda/divisor.hpp"
#include "nn/cuda/windows.hpp"
#include "nn/cuda/work.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn::cuda {

/// The three products of a convolution, over as many images at once as workspace is spent on.
class WindowProducts {
 public:
  /// Some of the images.
  struct Part {
    std::size_t first;
    std::size_t n;
  };

  /// `most`: elements of workspace, unless one image needs more. ConfigError where an image has
  /// more than kernels count.
  WindowProducts(const ConvolutionShape& shape, std::size_t most)
      : shape_(shape),
        windows_(shape),
        n_window_(static_cast<std::uint32_t>(shape.n_window())),
        n_of_image_(shape.n_positions() * n_window_ * shape.window.groups),
        at_once_(shape.is_plain() ? shape.x[0]
                                  : std::clamp<std::size_t>(most / n_of_image_, 1, shape.x[0])) {
    if (n_of_image_ < Divisor::kMost) return;
    throw ConfigError("device cuda: the windows of an image of shape " + to_string(shape.x) +
                      " have 2^31 elements or more");
  }

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
