#include "nn/graph/operations/convolution.hpp"

#include <algorithm>
#include <array>

#include "nn/graph/convolution.hpp"
#include "nn/graph/operations/broadcasting.hpp"
#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

// Weights are [k, k, C / groups, O].
bool are_images_and_weights(Shapes in, const Window& window) {
  return (in.size() == 2 || in.size() == 3) && in[0].size() == 4 && in[1].size() == 4 &&
         in[1][0] == in[1][1] && in[1][0] == window.kernel && window.groups > 0 &&
         in[1][3] % window.groups == 0;
}

bool has_bias_of(Shapes in, std::uint32_t n) {
  return in.size() == 2 || in[2] == Shape{n};
}

// How often the window fits, 0 where it does not.
std::uint32_t fits(std::uint32_t dimension, const Window& w) {
  const std::uint32_t padded = dimension + 2 * w.padding;
  return padded < w.kernel || w.stride == 0 ? 0 : (padded - w.kernel) / w.stride + 1;
}

// 2 * kernel^2 * channels / groups * outputs for each output position.
std::uint64_t flops_of(const Shape& y, const Shape& weights) {
  return 2ULL * y[0] * y[1] * y[2] * n_elements(weights);
}

Attributes with_shape(Attributes attributes, Shape shape) {
  attributes.activation = Activation::kNone;
  attributes.shape = std::move(shape);
  return attributes;
}

Shape convolution_shape(Shapes in, const Attributes& attributes) {
  require(are_images_and_weights(in, attributes.window) &&
              in[0][3] == in[1][2] * attributes.window.groups && has_bias_of(in, in[1][3]),
          "convolution", in);
  const std::uint32_t height = fits(in[0][1], attributes.window);
  const std::uint32_t width = fits(in[0][2], attributes.window);
  require(height > 0 && width > 0, "convolution", in);
  return {in[0][0], height, width, in[1][3]};
}

void convolution_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const Shape x = g.shape(node.inputs[0]);
  const ValueId dz = before_activation(g, *request.upstream, request.result);
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kTransposedConvolution, {dz, node.inputs[1]},
                            with_shape(node.attributes, {x[1], x[2]})));
  }
  if (request.is_wanted(1)) {
    request.give(1, g.apply(kConvolutionWeightGradient, {node.inputs[0], dz},
                            with_shape(node.attributes, {})));
  }
  if (node.inputs.size() == 3 && request.is_wanted(2)) request.give(2, g.apply(kSumRows, {dz}));
}

std::uint64_t convolution_flops(Shapes in, const Attributes& attributes) {
  return flops_of(convolution_shape(in, attributes), in[1]);
}

Shape transposed_shape(Shapes in, const Attributes& attributes) {
  const std::uint32_t channels = in[1][2] * attributes.window.groups;
  require(are_images_and_weights(in, attributes.window) && attributes.shape.size() == 2 &&
              in[0][3] == in[1][3] && has_bias_of(in, channels) &&
              fits(attributes.shape[0], attributes.window) == in[0][1] &&
              fits(attributes.shape[1], attributes.window) == in[0][2],
          "transposed_convolution", in);
  return {in[0][0], attributes.shape[0], attributes.shape[1], channels};
}

void transposed_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const ValueId dz = before_activation(g, *request.upstream, request.result);
  const Attributes attributes = with_shape(node.attributes, {});
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kConvolution, {dz, node.inputs[1]}, attributes));
  }
  if (request.is_wanted(1)) {
    request.give(1, g.apply(kConvolutionWeightGradient, {dz, node.inputs[0]}, attributes));
  }
  if (node.inputs.size() == 3 && request.is_wanted(2)) request.give(2, g.apply(kSumRows, {dz}));
}

std::uint64_t transposed_flops(Shapes in, const Attributes&) {
  return flops_of(in[0], in[1]);
}

Shape weight_gradient_shape(Shapes in, const Attributes& attributes) {
  const std::uint32_t groups = attributes.window.groups;
  require(in.size() == 2 && in[0].size() == 4 && in[1].size() == 4 && in[0][0] == in[1][0] &&
              groups > 0 && in[0][3] % groups == 0 && in[1][3] % groups == 0 &&
              fits(in[0][1], attributes.window) == in[1][1] &&
              fits(in[0][2], attributes.window) == in[1][2],
          "convolution_weight_gradient", in);
  const std::uint32_t k = attributes.window.kernel;
  return {k, k, in[0][3] / groups, in[1][3]};
}

void gradient_of_weight_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  const Shape x = g.shape(node.inputs[0]);
  if (request.is_wanted(0)) {
    request.give(0, g.apply(kTransposedConvolution, {node.inputs[1], *request.upstream},
                            with_shape(node.attributes, {x[1], x[2]})));
  }
  if (request.is_wanted(1)) {
    request.give(1, g.apply(kConvolution, {node.inputs[0], *request.upstream}, node.attributes));
  }
}

std::uint64_t weight_gradient_flops(Shapes in, const Attributes& attributes) {
  return flops_of(in[1], weight_gradient_shape(in, attributes));
}

// The windows of one image, of one group of its channels, a row for each output position
// [H' W', k k C / groups] (im2col), and the products made of them. Sums are taken image by image.
template <class T>
class Windows {
 public:
  Windows(const ConvolutionShape& shape, T* x, T* y, T* weights)
      : shape_(shape),
        x_(x),
        y_(y),
        weights_(weights),
        windows_(shape.n_positions(), shape.n_window()) {}

  // Calls with each image and group.
  template <class Each>
  void for_each_part(const Each& each) {
    for (std::size_t image = 0; image < shape_.x[0]; ++image) {
      for (std::size_t group = 0; group < shape_.window.groups; ++group) each(image, group);
    }
  }

  [[nodiscard]] auto weights(std::size_t group) const {
    return part(map(weights_, shape_.n_window()), group);
  }
  [[nodiscard]] Matrix<T>& rows() { return windows_; }
  [[nodiscard]] auto positions(std::size_t image, std::size_t group) const {
    const std::size_t n = shape_.n_positions();
    return part(map(y_ + image * n * shape_.y[3], n), group);
  }

  void gather(std::size_t image, std::size_t group) {
    windows_.setZero();
    for_each_pixel(image, group, [](auto window, auto pixel) { window = pixel; });
  }
  void scatter(std::size_t image, std::size_t group) {
    for_each_pixel(image, group, [](auto window, auto pixel) { pixel += window; });
  }

 private:
  [[nodiscard]] MatrixMap<T> map(T* data, std::size_t n_rows) const {
    return {data, static_cast<Eigen::Index>(n_rows), static_cast<Eigen::Index>(shape_.y[3])};
  }
  // The outputs of a group.
  [[nodiscard]] auto part(MatrixMap<T> all, std::size_t group) const {
    const Eigen::Index n = shape_.y[3] / shape_.window.groups;
    return all.middleCols(static_cast<Eigen::Index>(group) * n, n);
  }

  // Calls with each pixel of each window, as far as it lies in the image, and with the image's.
  template <class Each>
  void for_each_pixel(std::size_t image, std::size_t group, const Each& each) {
    const Eigen::Index height = shape_.x[1], width = shape_.x[2], channels = shape_.x[3];
    const Eigen::Index kernel = shape_.window.kernel, stride = shape_.window.stride;
    const Eigen::Index n = channels / shape_.window.groups;
    using Pixel = Eigen::Map<Eigen::RowVectorX<T>>;
    for (Eigen::Index i = 0; i < windows_.rows(); ++i) {
      const Eigen::Index top = i / shape_.y[2] * stride - shape_.window.padding;
      const Eigen::Index left = i % shape_.y[2] * stride - shape_.window.padding;
      for (Eigen::Index tap = 0; tap < kernel * kernel; ++tap) {
        const Eigen::Index h = top + tap / kernel;
        const Eigen::Index w = left + tap % kernel;
        if (h < 0 || h >= height || w < 0 || w >= width) continue;
        const Eigen::Index pixel = (static_cast<Eigen::Index>(image) * height + h) * width + w;
        each(windows_.row(i).segment(tap * n, n),
             Pixel(x_ + pixel * channels + static_cast<Eigen::Index>(group) * n, n));
      }
    }
  }

  ConvolutionShape shape_;
  T* x_;
  T* y_;
  T* weights_;
  Matrix<T> windows_;
};

template <class T>
void convolution(const Values<T>& v) {
  Windows<T> w(convolution_shape(v.graph(), v.value()), v.data(0), v.data(), v.data(1));
  w.for_each_part([&](std::size_t image, std::size_t group) {
    w.gather(image, group);
    w.positions(image, group).noalias() = w.rows() * w.weights(group);
  });
  finish_product(v);
}

template <class T>
void transposed_convolution(const Values<T>& v) {
  Windows<T> w(convolution_shape(v.graph(), v.value()), v.data(), v.data(0), v.data(1));
  v.matrix().setZero();
  w.for_each_part([&](std::size_t image, std::size_t group) {
    w.rows().noalias() = w.positions(image, group) * w.weights(group).transpose();
    w.scatter(image, group);
  });
  finish_product(v);
}

template <class T>
void convolution_weight_gradient(const Values<T>& v) {
  Windows<T> w(convolution_shape(v.graph(), v.value()), v.data(0), v.data(1), v.data());
  v.array().setZero();
  w.for_each_part([&](std::size_t image, std::size_t group) {
    w.gather(image, group);
    w.weights(group).noalias() += w.rows().transpose() * w.positions(image, group);
  });
}

// Odd dimensions, windows that leave a rest or hang over the edge, whole images, single points.
std::vector<Example> examples_of(const Operation& operation) {
  struct Case {
    Shape x;
    std::uint32_t outputs;
    Window window;
  };
  const std::vector<Case> cases{{{3, 7, 5, 3}, 4, {.kernel = 3, .stride = 1, .padding = 1}},
                                {{2, 8, 8, 2}, 5, {.kernel = 4, .stride = 2, .padding = 1}},
                                {{2, 9, 6, 4}, 3, {.kernel = 3, .stride = 2, .padding = 0}},
                                {{5, 4, 4, 6}, 2, {.kernel = 4, .stride = 1, .padding = 0}},
                                {{4, 5, 3, 7}, 8, {.kernel = 1, .stride = 1, .padding = 0}},
                                {{1, 5, 5, 1}, 1, {.kernel = 2, .stride = 3, .padding = 2}},
                                {{2, 6, 6, 3}, 33, {.kernel = 5, .stride = 1, .padding = 4}},
                                {{7, 16, 16, 20}, 17, {.kernel = 4, .stride = 2, .padding = 1}},
                                {{2, 9, 12, 2}, 3, {.kernel = 6, .stride = 3, .padding = 3}},
                                {{3, 4, 6, 5}, 2, {.kernel = 2, .stride = 1, .padding = 0}},
                                {{2, 5, 4, 6}, 4, {.kernel = 3, .padding = 1, .groups = 2}},
                                {{3, 6, 7, 32}, 64, {.kernel = 3, .padding = 1, .groups = 2}},
                                {{2, 5, 7, 3}, 3, {.kernel = 4, .stride = 2, .groups = 3}}};
  std::vector<Example> all;
  for (const auto& [x, outputs, window] : cases) {
    const Shape w{window.kernel, window.kernel, x[3] / window.groups, outputs};
    const Shape y{x[0], fits(x[1], window), fits(x[2], window), outputs};
    const Attributes how{
        .activation = Activation::kLeakyRelu, .window = window, .shape = {x[1], x[2]}};
    if (&operation == &kConvolutionWeightGradient) {
      all.push_back({{{x}, {y}}, {.window = window}});
    } else if (&operation == &kConvolution) {
      all.push_back({{{x}, {w}}, {.window = window}});
      all.push_back({{{x}, {w}, {{outputs}}}, how});
    } else {
      all.push_back({{{y}, {w}}, {.window = window, .shape = {x[1], x[2]}}});
      all.push_back({{{y}, {w}, {{x[3]}}}, how});
    }
  }
  return all;
}

}  // namespace

constinit const Operation kConvolution{
    .name = "convolution",
    .summary =
        "x [N, H, W, C], w [k, k, C / groups, O], optionally b [O] -> activation(x * w + b) [N, "
        "H', W', O]; H' = (H + 2 padding - k) / stride + 1",
    .shape = convolution_shape,
    .gradient = convolution_gradient,
    .flops = convolution_flops,
    .reference = reference([](const auto& v) { convolution(v); }),
    .examples = [] { return examples_of(kConvolution); }};
constinit const Operation kTransposedConvolution{
    .name = "transposed_convolution",
    .summary =
        "y [N, H', W', O], w [k, k, C / groups, O], optionally b [C] -> activation(what a "
        "convolution's input of `shape` [H, W] gets from y + b) [N, H, W, C]; the "
        "convolution's backward pass by its input",
    .shape = transposed_shape,
    .gradient = transposed_gradient,
    .flops = transposed_flops,
    .reference = reference([](const auto& v) { transposed_convolution(v); }),
    .examples = [] { return examples_of(kTransposedConvolution); }};
constinit const Operation kConvolutionWeightGradient{
    .name = "convolution_weight_gradient",
    .summary =
        "x [N, H, W, C], dy [N, H', W', O] -> derivative by a convolution's weights [k, k, C / "
        "groups, O]; its backward pass by them",
    .shape = weight_gradient_shape,
    .gradient = gradient_of_weight_gradient,
    .flops = weight_gradient_flops,
    .reference = reference([](const auto& v) { convolution_weight_gradient(v); }),
    .examples = [] { return examples_of(kConvolutionWeightGradient); }};

std::span<const Operation* const> convolution_operations() {
  static constexpr const Operation* kAll[] = {&kConvolution, &kTransposedConvolution,
                                              &kConvolutionWeightGradient};
  return kAll;
}

}  // namespace lipizz::nn
