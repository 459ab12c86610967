#include <Eigen/Core>

#include "nn/convolution.hpp"
#include "nn/cpu/convolution.hpp"
#include "nn/cpu/reference_kernel.hpp"

namespace lipizz::nn {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using MatrixMap = Eigen::Map<Matrix<T>>;

// One of the three operations: what each image's products are made of.
template <class T>
class Images {
 public:
  Images(const Graph& graph, ValueId value, T* x, T* w, T* y)
      : shape_(convolution_shape(graph, value)),
        x_(x),
        y_(y),
        weights(w, shape_.n_window(), shape_.y[3]),
        windows(shape_.n_places(), shape_.n_window()) {}

  [[nodiscard]] std::size_t n() const { return shape_.x[0]; }
  [[nodiscard]] MatrixMap<T> y(std::size_t image) const {
    const std::size_t n_places = shape_.n_places();
    return {y_ + image * n_places * shape_.y[3], Eigen::Index(n_places), shape_.y[3]};
  }
  void gather(std::size_t image) { gather_windows(shape_, x(image), 1, windows.data()); }
  void scatter(std::size_t image) { scatter_windows(shape_, windows.data(), 1, x(image)); }

 private:
  [[nodiscard]] T* x(std::size_t image) const {
    return x_ + image * shape_.x[1] * shape_.x[2] * shape_.x[3];
  }

  ConvolutionShape shape_;
  T* x_;
  T* y_;

 public:
  MatrixMap<T> weights;
  Matrix<T> windows;  // of one image
};

// Each row of the result plus the bias, if there is one, activated.
template <class T>
void finish(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto n_channels = Eigen::Index(node.shape.back());
  MatrixMap<T> out(values[value.index], Eigen::Index(n_elements(node.shape)) / n_channels,
                   n_channels);
  if (node.inputs.size() == 3) {
    out.rowwise() += Eigen::Map<const Eigen::Matrix<T, 1, Eigen::Dynamic>>(
        values[node.inputs[2].index], n_channels);
  }
  if (node.attributes.activation == Activation::kNone) return;
  out = out.unaryExpr([&](T v) { return activate(node.attributes.activation, v); });
}

}  // namespace

template <class T>
void reference_convolution(const Graph& graph, ValueId value, T* const* values) {
  const auto& inputs = graph.node(value).inputs;
  Images<T> images(graph, value, values[inputs[0].index], values[inputs[1].index],
                   values[value.index]);
  for (std::size_t i = 0; i < images.n(); ++i) {
    images.gather(i);
    images.y(i).noalias() = images.windows * images.weights;
  }
  finish(graph, value, values);
}

template <class T>
void reference_transposed_convolution(const Graph& graph, ValueId value, T* const* values) {
  const auto& inputs = graph.node(value).inputs;
  Images<T> images(graph, value, values[value.index], values[inputs[1].index],
                   values[inputs[0].index]);
  for (std::size_t i = 0; i < images.n(); ++i) {
    images.windows.noalias() = images.y(i) * images.weights.transpose();
    images.scatter(i);
  }
  finish(graph, value, values);
}

template <class T>
void reference_convolution_weights(const Graph& graph, ValueId value, T* const* values) {
  const auto& inputs = graph.node(value).inputs;
  Images<T> images(graph, value, values[inputs[0].index], values[value.index],
                   values[inputs[1].index]);
  images.weights.setZero();
  for (std::size_t i = 0; i < images.n(); ++i) {
    images.gather(i);
    images.weights.noalias() += images.windows.transpose() * images.y(i);
  }
}

#define LIPIZZ_INSTANTIATE(T)                                                       \
  template void reference_convolution(const Graph&, ValueId, T* const*);            \
  template void reference_transposed_convolution(const Graph&, ValueId, T* const*); \
  template void reference_convolution_weights(const Graph&, ValueId, T* const*);
LIPIZZ_INSTANTIATE(float)
LIPIZZ_INSTANTIATE(double)
#undef LIPIZZ_INSTANTIATE

}  // namespace lipizz::nn
