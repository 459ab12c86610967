#pragma once

#include "nn/base/augmentation.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

/// The translation and the cutout of one image, by its random numbers.
struct Displacement {
  using Signed = std::ptrdiff_t;

  constexpr Displacement(const Augmentation& which, Signed height_, Signed width_, const float* u)
      : height(height_),
        width(width_),
        down(which.has_translation ? shift(u[3], height_) : 0),
        right(which.has_translation ? shift(u[4], width_) : 0),
        top(which.has_cutout ? begin(u[5], height_) : height_),
        left(which.has_cutout ? begin(u[6], width_) : width_) {}

  [[nodiscard]] constexpr bool is_inside(Signed row, Signed column) const {
    return row >= 0 && row < height && column >= 0 && column < width;
  }
  [[nodiscard]] constexpr bool is_hole(Signed row, Signed column) const {
    return row >= top && row < top + (height + 1) / 2 && column >= left &&
           column < left + (width + 1) / 2;
  }

  Signed height, width;
  Signed down, right;
  Signed top, left;  // of the hole

 private:
  static constexpr Signed shift(float u, Signed dimension) {
    const Signed most = (dimension + 4) / 8;
    return static_cast<Signed>(u * static_cast<float>(2 * most + 1)) - most;
  }
  static constexpr Signed begin(float u, Signed dimension) {
    return static_cast<Signed>(u * static_cast<float>(dimension + 1)) - (dimension + 1) / 4;
  }
};

/// All images of an augmentation: where each pixel of the result comes from.
struct Augmented {
  Augmented(const Augmentation& which_, const Shape& shape)
      : which(which_),
        height(shape[1]),
        width(shape[2]),
        channels(shape[3]),
        size(n_elements(shape) / shape[0]) {}

  static constexpr std::size_t kNothing = static_cast<std::size_t>(-1);

  /// The element of x that an element of y is made of, or nothing.
  constexpr std::size_t source(const float* uniforms, std::size_t i) const {
    const Displacement d(which, height, width, uniforms + i / size * kNAugmentUniforms);
    const auto row = static_cast<std::ptrdiff_t>(i % size / (channels * width));
    const auto column = static_cast<std::ptrdiff_t>(i / channels % width);
    if (d.is_hole(row, column) || !d.is_inside(row - d.down, column - d.right)) return kNothing;
    return moved(i, -d.down, -d.right);
  }
  /// The element of y that an element of x goes to, or nothing.
  constexpr std::size_t target(const float* uniforms, std::size_t i) const {
    const Displacement d(which, height, width, uniforms + i / size * kNAugmentUniforms);
    const auto row = static_cast<std::ptrdiff_t>(i % size / (channels * width)) + d.down;
    const auto column = static_cast<std::ptrdiff_t>(i / channels % width) + d.right;
    if (!d.is_inside(row, column) || d.is_hole(row, column)) return kNothing;
    return moved(i, d.down, d.right);
  }

  Augmentation which;
  std::ptrdiff_t height, width;
  std::size_t channels;
  std::size_t size;  // of an image

 private:
  [[nodiscard]] constexpr std::size_t moved(std::size_t i, std::ptrdiff_t down,
                                            std::ptrdiff_t right) const {
    return i +
           static_cast<std::size_t>((down * width + right) * static_cast<std::ptrdiff_t>(channels));
  }
};

/// Saturation and contrast of a pixel's channel; `grey` is the mean of the pixel's channels.
constexpr float coloured(const float* u, float value, float grey, float mean, float brightness) {
  const float saturated = (value - grey) * (2 * u[1]) + grey;
  return (saturated - mean) * (u[2] + 0.5f) + mean + brightness;
}

template <class Work>
void augment(Work& work) {
  const Augmented a(work.attributes().augmentation, work.shape());
  if (a.which.has_color) {
    work.use_workspace(work.shape()[0]);
    work.sums(
        work.shape()[0], a.size,
        [a] LIPIZZ_DEVICE(const Operands& o, std::size_t image, std::size_t i) {
          return static_cast<double>(o.in(0)[image * a.size + i]);
        },
        [a] LIPIZZ_DEVICE(const Operands& o, std::size_t image, double sum) {
          o.workspace[image] = static_cast<float>(sum / static_cast<double>(a.size));
        });
  }
  work.each(work.size(), [a] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t from = a.source(o.in(1), i);
    if (from == Augmented::kNothing) {
      o.out()[i] = 0;
      return;
    }
    if (!a.which.has_color) {
      o.out()[i] = o.in(0)[from];
      return;
    }
    const float* pixel = o.in(0) + from / a.channels * a.channels;
    float sum = 0;
    for (std::size_t c = 0; c < a.channels; ++c) sum += pixel[c];
    const float* u = o.in(1) + i / a.size * kNAugmentUniforms;
    o.out()[i] = coloured(u, o.in(0)[from], sum / static_cast<float>(a.channels),
                          o.workspace[i / a.size], u[0] - 0.5f);
  });
}

template <class Work>
void augment_gradient(Work& work) {
  const Augmented a(work.attributes().augmentation, work.shape());
  if (a.which.has_color) {
    work.use_workspace(work.shape()[0]);
    work.sums(
        work.shape()[0], a.size,
        [a] LIPIZZ_DEVICE(const Operands& o, std::size_t image, std::size_t i) {
          const std::size_t to = a.target(o.in(1), image * a.size + i);
          return to == Augmented::kNothing ? 0.0 : static_cast<double>(o.in(0)[to]);
        },
        [a] LIPIZZ_DEVICE(const Operands& o, std::size_t image, double sum) {
          o.workspace[image] = static_cast<float>(sum / static_cast<double>(a.size));
        });
  }
  work.each(work.size(), [a] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t to = a.target(o.in(1), i);
    const float moved = to == Augmented::kNothing ? 0.0f : o.in(0)[to];
    if (!a.which.has_color) {
      o.out()[i] = moved;
      return;
    }
    float sum = 0;
    if (to != Augmented::kNothing) {
      const float* pixel = o.in(0) + to / a.channels * a.channels;
      for (std::size_t c = 0; c < a.channels; ++c) sum += pixel[c];
    }
    const float* u = o.in(1) + i / a.size * kNAugmentUniforms;
    o.out()[i] =
        coloured(u, moved, sum / static_cast<float>(a.channels), o.workspace[i / a.size], 0);
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto augmentation_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kAugment, augment},
      {&kAugmentGradient, augment_gradient},
  });
}

}  // namespace lipizz::nn::cuda
