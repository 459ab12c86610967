#include "nn/cpu/augmentation.hpp"

#include <algorithm>

#include "nn/cpu/function_kernel.hpp"

namespace lipizz::nn {
namespace {

// Rows and columns of an image, as far as there are any.
struct Region {
  std::ptrdiff_t top, bottom, left, right;

  Region(const Region& other, std::ptrdiff_t down, std::ptrdiff_t aside, const Shape& within)
      : top(inside(other.top + down, within[1])),
        bottom(inside(other.bottom + down, within[1])),
        left(inside(other.left + aside, within[2])),
        right(inside(other.right + aside, within[2])) {}
  Region(std::ptrdiff_t top_, std::ptrdiff_t bottom_, std::ptrdiff_t left_, std::ptrdiff_t right_)
      : top(top_), bottom(bottom_), left(left_), right(right_) {}

 private:
  static std::ptrdiff_t inside(std::ptrdiff_t at, std::uint32_t dimension) {
    return std::clamp<std::ptrdiff_t>(at, 0, dimension);
  }
};

// One image and what its random numbers say of it: colours, then the place, then the hole. All of
// it is linear but for the brightness; the derivative is the transposes in reverse order.
class Change {
 public:
  Change(const Augmentation& which, const Shape& shape, const float* u)
      : which_(which),
        shape_(shape),
        channels_(shape[3]),
        size_(n_elements(shape) / shape[0]),
        u_(u),
        down_(which.has_translation ? shift(u[3], shape[1]) : 0),
        right_(which.has_translation ? shift(u[4], shape[2]) : 0) {}

  void apply(const float* x, float* y) const {
    place(x, y, down_, right_);
    if (which_.has_color) {
      change_color(y, Region(whole(), down_, right_, shape_), mean(x), u_[0] - float(0.5));
    }
    if (which_.has_cutout) clear(y, hole());
  }

  void apply_transposed(const float* dy, float* dx) const {
    place(dy, dx, -down_, -right_);
    if (which_.has_cutout) clear(dx, Region(hole(), -down_, -right_, shape_));
    if (which_.has_color) change_color(dx, whole(), mean(dx), 0);
  }

 private:
  using Signed = std::ptrdiff_t;

  // A whole number of pixels from -an eighth to an eighth.
  static Signed shift(float u, std::uint32_t dimension) {
    const Signed most = (Signed{dimension} + 4) / 8;
    return static_cast<Signed>(u * static_cast<float>(2 * most + 1)) - most;
  }

  [[nodiscard]] Region whole() const { return {0, shape_[1], 0, shape_[2]}; }

  // A square of half the dimension about a pixel anywhere, what of it lies within the image.
  [[nodiscard]] Region hole() const {
    const auto begin = [](float u, Signed dimension) {
      return static_cast<Signed>(u * static_cast<float>(dimension + 1)) - (dimension + 1) / 4;
    };
    const Region square(0, (Signed{shape_[1]} + 1) / 2, 0, (Signed{shape_[2]} + 1) / 2);
    return {square, begin(u_[5], shape_[1]), begin(u_[6], shape_[2]), shape_};
  }

  [[nodiscard]] float mean(const float* image) const {
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += static_cast<double>(image[i]);
    return static_cast<float>(sum / static_cast<double>(size_));
  }

  template <class Each>
  void for_each_row(const Region& region, const Each& each) const {
    if (region.left >= region.right) return;
    for (Signed row = region.top; row < region.bottom; ++row) {
      each((row * shape_[2] + region.left) * Signed{channels_},
           (region.right - region.left) * Signed{channels_});
    }
  }

  // Zeros move in.
  void place(const float* from, float* to, Signed down, Signed right) const {
    std::fill_n(to, size_, float{0});
    const Signed back = (down * shape_[2] + right) * Signed{channels_};
    for_each_row(Region(whole(), down, right, shape_),
                 [&](Signed at, Signed n) { std::copy_n(from + at - back, n, to + at); });
  }

  void clear(float* image, const Region& region) const {
    for_each_row(region, [&](Signed at, Signed n) { std::fill_n(image + at, n, float{0}); });
  }

  // Saturation moves a pixel's channels about their mean, contrast everything about the image's.
  // Both keep the means that they are about, so each is its own transpose, and they commute.
  void change_color(float* image, const Region& region, float mean_of_all, float brightness) const {
    const float saturation = 2 * u_[1];
    const float contrast = u_[2] + float(0.5);
    for_each_row(region, [&](Signed at, Signed n) {
      for (float* pixel = image + at; pixel < image + at + n; pixel += channels_) {
        float sum = 0;
        for (std::uint32_t c = 0; c < channels_; ++c) sum += pixel[c];
        const float grey = sum / static_cast<float>(channels_);
        for (std::uint32_t c = 0; c < channels_; ++c) {
          const float saturated = (pixel[c] - grey) * saturation + grey;
          pixel[c] = (saturated - mean_of_all) * contrast + mean_of_all + brightness;
        }
      }
    });
  }

  const Augmentation& which_;
  const Shape& shape_;
  std::uint32_t channels_;
  std::size_t size_;
  const float* u_;
  Signed down_;
  Signed right_;
};

// Calls with each image's change and the offset of the image.
template <class Each>
void for_each_change(const Graph& graph, ValueId value, float* const* values, const Each& each) {
  const Node& node = graph.node(value);
  const std::size_t size = n_elements(node.shape) / node.shape[0];
  const float* u = values[node.inputs[1].index];
  for (std::size_t i = 0; i < node.shape[0]; ++i, u += kNAugmentUniforms) {
    each(Change(node.attributes.augmentation, node.shape, u), i * size);
  }
}

void augment(const Graph& graph, ValueId value, float* const* values) {
  const float* x = values[graph.node(value).inputs[0].index];
  for_each_change(graph, value, values, [&](const Change& change, std::size_t at) {
    change.apply(x + at, values[value.index] + at);
  });
}

void augment_gradient(const Graph& graph, ValueId value, float* const* values) {
  const float* dy = values[graph.node(value).inputs[0].index];
  for_each_change(graph, value, values, [&](const Change& change, std::size_t at) {
    change.apply_transposed(dy + at, values[value.index] + at);
  });
}

}  // namespace

std::span<const KernelEntry> augmentation_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kAugment, make_function<augment>},
      {&kAugmentGradient, make_function<augment_gradient>},
  };
  return kTable;
}

}  // namespace lipizz::nn
