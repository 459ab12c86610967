#include "nn/cpu/randomised.hpp"

#include <algorithm>
#include <cmath>

namespace lipizz::nn {
namespace {

// One image and what its random numbers say of it. All changes are linear but for the brightness,
// and undone in reverse order with their transposes they are the derivative.
template <class T>
class Change {
 public:
  Change(const Augmentation& which, const Shape& shape, const T* u)
      : which_(which), height_(shape[1]), width_(shape[2]), channels_(shape[3]), u_(u) {}

  // Colours, then the place, then the hole. `work` has the image's size.
  void apply(const T* x, T* work, T* y) const {
    std::copy_n(x, size(), work);
    if (which_.has_color) change_color(work, u_[0] - static_cast<T>(0.5));
    place(work, y, down(), right());
    if (which_.has_cutout) cut(y);
  }

  void apply_transposed(const T* dy, T* work, T* dx) const {
    std::copy_n(dy, size(), work);
    if (which_.has_cutout) cut(work);
    place(work, dx, -down(), -right());
    if (which_.has_color) change_color(dx, 0);
  }

 private:
  using Signed = std::ptrdiff_t;
  [[nodiscard]] std::size_t size() const { return height_ * width_ * channels_; }

  // A whole number of pixels from -an eighth to an eighth.
  static Signed shift(T u, std::size_t extent) {
    const std::size_t most = (extent + 4) / 8;
    return static_cast<Signed>(u * static_cast<T>(2 * most + 1)) - static_cast<Signed>(most);
  }
  [[nodiscard]] Signed down() const { return shift(u_[3], height_); }
  [[nodiscard]] Signed right() const { return shift(u_[4], width_); }

  void place(const T* from, T* to, Signed down, Signed right) const {
    if (!which_.has_translation) {
      std::copy_n(from, size(), to);
      return;
    }
    const auto height = static_cast<Signed>(height_);
    const auto width = static_cast<Signed>(width_);
    const auto channels = static_cast<Signed>(channels_);
    std::fill_n(to, size(), T{0});
    const Signed left = std::max<Signed>(right, 0);
    const Signed n = width - std::abs(right);
    for (Signed row = std::max<Signed>(down, 0); row < std::min(height, height + down); ++row) {
      std::copy_n(from + ((row - down) * width + left - right) * channels, n * channels,
                  to + (row * width + left) * channels);
    }
  }

  // Saturation moves a pixel's channels about their mean, contrast everything about the image's.
  // Both keep the means that they are about, so each is its own transpose, and they commute.
  void change_color(T* image, T brightness) const {
    const T saturation = 2 * u_[1];
    const T contrast = u_[2] + static_cast<T>(0.5);
    double sum = 0;
    for (std::size_t i = 0; i < size(); i += channels_) {
      T pixel = 0;
      for (std::size_t c = 0; c < channels_; ++c) pixel += image[i + c];
      sum += static_cast<double>(pixel);
      const T mean = pixel / static_cast<T>(channels_);
      for (std::size_t c = 0; c < channels_; ++c) {
        image[i + c] = (image[i + c] - mean) * saturation + mean;
      }
    }
    const auto mean = static_cast<T>(sum / static_cast<double>(size()));
    for (std::size_t i = 0; i < size(); ++i) {
      image[i] = (image[i] - mean) * contrast + mean + brightness;
    }
  }

  // A square of half the extent around a place anywhere, what of it lies within the image.
  void cut(T* image) const {
    const auto [top, bottom] = hole(u_[5], height_);
    const auto [left, right] = hole(u_[6], width_);
    for (std::size_t row = top; row < bottom; ++row) {
      std::fill(image + (row * width_ + left) * channels_,
                image + (row * width_ + right) * channels_, T{0});
    }
  }
  static std::pair<std::size_t, std::size_t> hole(T u, std::size_t extent) {
    const auto length = static_cast<Signed>((extent + 1) / 2);
    const auto n = static_cast<Signed>(extent);
    const Signed begin = static_cast<Signed>(u * static_cast<T>(n + 1)) - length / 2;
    return {static_cast<std::size_t>(std::clamp<Signed>(begin, 0, n)),
            static_cast<std::size_t>(std::clamp<Signed>(begin + length, 0, n))};
  }

  const Augmentation& which_;
  std::size_t height_;
  std::size_t width_;
  std::size_t channels_;
  const T* u_;
};

}  // namespace

template <class T>
void dropout(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto rate = static_cast<T>(node.attributes.number);
  const T kept = 1 / (1 - rate);
  const T* x = values[node.inputs[0].index];
  const T* u = values[node.inputs[1].index];
  T* out = values[value.index];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) out[i] = u[i] < rate ? 0 : x[i] * kept;
}

namespace {

// Calls with each image's change and the offset of the image.
template <class T, class Each>
void for_each_change(const Graph& graph, ValueId value, T* const* values, const Each& each) {
  const Node& node = graph.node(value);
  const std::size_t size = n_elements(node.shape) / node.shape[0];
  const T* u = values[node.inputs[1].index];
  for (std::size_t i = 0; i < node.shape[0]; ++i, u += kNAugmentUniforms) {
    each(Change<T>(node.attributes.augmentation, node.shape, u), i * size);
  }
}

}  // namespace

template <class T>
void augment(const Graph& graph, ValueId value, T* const* values) {
  const T* x = values[graph.node(value).inputs[0].index];
  std::vector<T> work(n_elements(graph.shape(value)) / graph.shape(value)[0]);
  for_each_change<T>(graph, value, values, [&](const Change<T>& change, std::size_t at) {
    change.apply(x + at, work.data(), values[value.index] + at);
  });
}

template <class T>
void augment_gradient(const Graph& graph, ValueId value, T* const* values) {
  const T* dy = values[graph.node(value).inputs[0].index];
  std::vector<T> work(n_elements(graph.shape(value)) / graph.shape(value)[0]);
  for_each_change<T>(graph, value, values, [&](const Change<T>& change, std::size_t at) {
    change.apply_transposed(dy + at, work.data(), values[value.index] + at);
  });
}

template <class T>
void between(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const T* a = values[node.inputs[0].index];
  const T* b = values[node.inputs[1].index];
  const T* u = values[node.inputs[2].index];
  T* out = values[value.index];
  const std::size_t size = n_elements(node.shape) / node.shape[0];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) {
    const T share = u[i / size];
    out[i] = share * a[i] + (1 - share) * b[i];
  }
}

template <class T>
void around(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const std::size_t n = n_elements(node.shape);
  const T* x = values[node.inputs[0].index];
  const T* u = values[node.inputs[1].index];
  T* out = values[value.index];
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]);
  const double mean = sum / static_cast<double>(n);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double distance = static_cast<double>(x[i]) - mean;
    squares += distance * distance;
  }
  const auto reach = static_cast<T>(std::sqrt(squares / static_cast<double>(n))) *
                     static_cast<T>(node.attributes.number);
  for (std::size_t i = 0; i < n; ++i) out[i] = x[i] + reach * u[i];
}

#define LIPIZZ_INSTANTIATE(T)                                       \
  template void dropout(const Graph&, ValueId, T* const*);          \
  template void augment(const Graph&, ValueId, T* const*);          \
  template void augment_gradient(const Graph&, ValueId, T* const*); \
  template void between(const Graph&, ValueId, T* const*);          \
  template void around(const Graph&, ValueId, T* const*);
LIPIZZ_INSTANTIATE(float)
LIPIZZ_INSTANTIATE(double)
#undef LIPIZZ_INSTANTIATE

}  // namespace lipizz::nn
