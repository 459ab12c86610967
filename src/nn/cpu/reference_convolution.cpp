#include "nn/cpu/convolution.hpp"
#include "nn/cpu/reference_kernel.hpp"
#include "nn/cpu/reference_matrix.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {
namespace {

// What the products of one of the three operations are made of, image by image.
template <class T>
struct Images {
  Images(const Graph& graph, ValueId value, T* images, T* weights_of_all, T* places)
      : shape(convolution_shape(graph, value)),
        x(images),
        y(places),
        weights(weights_of_all, shape.n_window(), shape.y[3]),
        windows(shape.n_places(), shape.n_window()) {}

  [[nodiscard]] std::size_t n() const { return shape.x[0]; }
  [[nodiscard]] MatrixMap<T> places_of(std::size_t image) const {
    const std::size_t n_places = shape.n_places();
    return {y + image * n_places * shape.y[3], Eigen::Index(n_places), shape.y[3]};
  }
  [[nodiscard]] T* pixels_of(std::size_t image) const {
    return x + image * shape.x[1] * shape.x[2] * shape.x[3];
  }
  void gather(std::size_t image) { gather_windows(shape, pixels_of(image), 1, windows.data()); }
  void scatter(std::size_t image) { scatter_windows(shape, windows.data(), 1, pixels_of(image)); }

  ConvolutionShape shape;
  T* x;
  T* y;
  MatrixMap<T> weights;
  Matrix<T> windows;  // of one image
};

}  // namespace

template <class T>
void reference_convolution(const Graph& graph, ValueId value, T* const* values) {
  const auto& inputs = graph.node(value).inputs;
  Images<T> images(graph, value, values[inputs[0].index], values[inputs[1].index],
                   values[value.index]);
  for (std::size_t i = 0; i < images.n(); ++i) {
    images.gather(i);
    images.places_of(i).noalias() = images.windows * images.weights;
  }
  finish_product(graph, value, values);
}

template <class T>
void reference_transposed_convolution(const Graph& graph, ValueId value, T* const* values) {
  const auto& inputs = graph.node(value).inputs;
  Images<T> images(graph, value, values[value.index], values[inputs[1].index],
                   values[inputs[0].index]);
  for (std::size_t i = 0; i < images.n(); ++i) {
    images.windows.noalias() = images.places_of(i) * images.weights.transpose();
    images.scatter(i);
  }
  finish_product(graph, value, values);
}

template <class T>
void reference_convolution_weights(const Graph& graph, ValueId value, T* const* values) {
  const auto& inputs = graph.node(value).inputs;
  Images<T> images(graph, value, values[inputs[0].index], values[value.index],
                   values[inputs[1].index]);
  images.weights.setZero();
  for (std::size_t i = 0; i < images.n(); ++i) {
    images.gather(i);
    images.weights.noalias() += images.windows.transpose() * images.places_of(i);
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
