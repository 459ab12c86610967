#include "nn/graph/operations/augmentation.hpp"

#include <algorithm>

#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape augment_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && in[0].size() == 4 && in[1] == Shape{in[0][0], kNAugmentUniforms},
          "augment", in);
  return in[0];
}

// Rows or columns of an image that lie in it: those of `n` from `begin` on.
struct Stretch {
  Stretch(Eigen::Index begin, Eigen::Index n, Eigen::Index all)
      : first(std::clamp<Eigen::Index>(begin, 0, all)),
        size(std::clamp<Eigen::Index>(begin + n, 0, all) - first) {}
  Eigen::Index first, size;
};

// A whole number of pixels from -an eighth to an eighth.
template <class T>
Eigen::Index shift_of(T u, Eigen::Index dimension) {
  const Eigen::Index most = (dimension + 4) / 8;
  return static_cast<Eigen::Index>(u * static_cast<T>(2 * most + 1)) - most;
}

// Where a hole of half the dimension begins, about a pixel anywhere.
template <class T>
Stretch hole_of(T u, Eigen::Index dimension) {
  const auto middle = static_cast<Eigen::Index>(u * static_cast<T>(dimension + 1));
  return {middle - (dimension + 1) / 4, (dimension + 1) / 2, dimension};
}

// The change of one image by its random numbers: its colours, then its place, then a hole.
template <class T>
class Change {
 public:
  Change(const Values<T>& v, Eigen::Index image)
      : which_(v.attributes().augmentation),
        height_(v.shape()[1]),
        width_(v.shape()[2]),
        channels_(v.shape()[3]),
        u_(v.array(1).row(image)) {}

  // x, y: an image [H, W * C].
  [[nodiscard]] Array<T> changed(const Array<T>& x) const {
    return cut(moved(coloured(x, u_(0) - T(0.5)), 1));
  }
  // But for the brightness all of it is linear: the transposes, the last one first.
  [[nodiscard]] Array<T> transposed(const Array<T>& dy) const {
    return coloured(moved(cut(dy), -1), 0);
  }

 private:
  // Saturation moves a pixel's channels about their mean, contrast everything about the image's;
  // each is its own transpose.
  [[nodiscard]] Array<T> coloured(const Array<T>& x, T brightness) const {
    if (!which_.has_color) return x;
    const T mean = static_cast<T>(x.template cast<double>().mean());
    const Array<T> pixels = x.template reshaped<Eigen::RowMajor>(height_ * width_, channels_);
    const Array<T> grey = pixels.rowwise().mean().replicate(1, channels_);
    const Array<T> saturated = grey + 2 * u_(1) * (pixels - grey);
    const Array<T> changed = mean + (u_(2) + T(0.5)) * (saturated - mean) + brightness;
    return changed.template reshaped<Eigen::RowMajor>(height_, width_ * channels_);
  }

  // Zeros move in. `sign`: forth or back.
  [[nodiscard]] Array<T> moved(const Array<T>& x, Eigen::Index sign) const {
    if (!which_.has_translation) return x;
    const Eigen::Index down = sign * shift_of(u_(3), height_);
    const Eigen::Index right = sign * shift_of(u_(4), width_);
    const Stretch rows(down, height_, height_);
    const Stretch columns(right, width_, width_);
    Array<T> y = Array<T>::Zero(x.rows(), x.cols());
    y.block(rows.first, columns.first * channels_, rows.size, columns.size * channels_) =
        x.block(rows.first - down, (columns.first - right) * channels_, rows.size,
                columns.size * channels_);
    return y;
  }

  [[nodiscard]] Array<T> cut(Array<T> x) const {
    if (!which_.has_cutout) return x;
    const Stretch rows = hole_of(u_(5), height_);
    const Stretch columns = hole_of(u_(6), width_);
    x.block(rows.first, columns.first * channels_, rows.size, columns.size * channels_).setZero();
    return x;
  }

  Augmentation which_;
  Eigen::Index height_, width_, channels_;
  Eigen::Array<T, 1, Eigen::Dynamic> u_;
};

// Calls with each image's change, the image [H, W * C] and where it goes.
template <class T, class Each>
void for_each_image(const Values<T>& v, const Each& each) {
  const Eigen::Index height = v.shape()[1];
  for (Eigen::Index i = 0; i < Eigen::Index{v.shape()[0]}; ++i) {
    const std::size_t n_rows = n_elements(v.shape()) / v.shape()[2] / v.shape()[3];
    each(Change<T>(v, i), v.in_rows(n_rows, 0).middleRows(i * height, height),
         v.in_rows(n_rows).middleRows(i * height, height));
  }
}

std::vector<Example> examples() {
  const std::vector<Augmentation> all_kinds{
      {.has_color = true},
      {.has_translation = true},
      {.has_cutout = true},
      {.has_color = true, .has_translation = true, .has_cutout = true}};
  std::vector<Example> all;
  for (const Shape& shape : {Shape{1, 1, 1, 1}, Shape{9, 7, 5, 3}, Shape{9, 16, 16, 1}}) {
    for (const Augmentation& augmentation : all_kinds) {
      all.push_back({{{shape}, {{shape[0], kNAugmentUniforms}, Drawn::kUniforms}},
                     {.augmentation = augmentation}});
    }
  }
  return all;
}

}  // namespace

constinit const Operation kAugment{
    .name = "augment",
    .summary =
        "images [N, H, W, C], u [N, 7] -> their colours, positions and a hole changed as "
        "`augmentation` says (nn/base/augmentation.hpp)",
    .shape = augment_shape,
    .gradient = adjoint_gradient<kAugmentGradient>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) {
      for_each_image(v, [](const auto& change, const auto& x, auto y) { y = change.changed(x); });
    }),
    .examples = examples};
constinit const Operation kAugmentGradient{
    .name = "augment_gradient",
    .summary = "dy [N, H, W, C], u [N, 7] -> derivative of augment by its images",
    .shape = augment_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) {
      for_each_image(
          v, [](const auto& change, const auto& dy, auto dx) { dx = change.transposed(dy); });
    }),
    .examples = examples};

std::span<const Operation* const> augmentation_operations() {
  static constexpr const Operation* kAll[] = {&kAugment, &kAugmentGradient};
  return kAll;
}

}  // namespace lipizz::nn
