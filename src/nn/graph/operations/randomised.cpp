#include "nn/graph/operations/randomised.hpp"

#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape dropout_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 2 && n_elements(in[0]) == n_elements(in[1]) && attributes.number < 1,
          "dropout", in);
  return in[0];
}

Shape interpolate_shape(Shapes in, const Attributes&) {
  require(in.size() == 3 && in[0] == in[1] && in[2] == Shape{in[0][0], 1}, "interpolate", in);
  return in[0];
}

Shape perturb_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && n_elements(in[0]) == n_elements(in[1]), "perturb", in);
  return in[0];
}

template <class T>
void dropout(const Values<T>& v) {
  const T rate = v.number();
  v.in_rows(1) = (v.in_rows(1, 1) < rate).select(T{0}, v.in_rows(1, 0) / (1 - rate));
}

template <class T>
void interpolate(const Values<T>& v) {
  const std::size_t n = v.shape()[0];
  const Eigen::ArrayX<T> share = v.in_rows(n, 2).col(0);
  v.in_rows(n) = v.in_rows(n, 0).colwise() * share + v.in_rows(n, 1).colwise() * (1 - share);
}

template <class T>
void perturb(const Values<T>& v) {
  const Array<double> x = v.in_rows(1, 0).template cast<double>();
  const auto deviation = static_cast<T>(std::sqrt((x - x.mean()).square().mean()));
  v.in_rows(1) = v.in_rows(1, 0) + deviation * v.number() * v.in_rows(1, 1);
}

ExampleInput uniforms(const Shape& shape) {
  return {shape, Drawn::kUniforms};
}

const auto kShapes = [] { return std::vector<Shape>{{1, 1}, {3, 5}, {2, 7, 5, 33}}; };

}  // namespace

constinit const Operation kDropout{
    .name = "dropout",
    .summary = "x, u of as many -> x / (1 - number) where u >= number, else 0",
    .shape = dropout_shape,
    .gradient = adjoint_gradient<kDropout>,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { dropout(v); }),
    .examples = [] {
      std::vector<Example> all;
      for (const Shape& shape : kShapes()) {
        for (const float rate : {0.0f, 0.3f, 0.9f}) {
          all.push_back({{{shape}, uniforms(shape)}, {.number = rate}});
        }
      }
      return all;
    }};
constinit const Operation kInterpolate{
    .name = "interpolate",
    .summary = "a, b [N, ...], u [N, 1] -> u a + (1 - u) b",
    .shape = interpolate_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { interpolate(v); }),
    .examples = [] {
      std::vector<Example> all;
      for (const Shape& shape : kShapes()) {
        all.push_back({{{shape}, {shape}, uniforms({shape[0], 1})}});
      }
      return all;
    }};
constinit const Operation kPerturb{
    .name = "perturb",
    .summary = "x, u of as many -> x + number * u * standard deviation of all of x",
    .shape = perturb_shape,
    .flops = elementwise_flops,
    .reference = reference([](const auto& v) { perturb(v); }),
    .examples = [] {
      std::vector<Example> all;
      for (const Shape& shape : kShapes()) {
        all.push_back({{{shape}, uniforms(shape)}, {.number = 0.5f}});
      }
      return all;
    }};

std::span<const Operation* const> randomised_operations() {
  static constexpr const Operation* kAll[] = {&kDropout, &kInterpolate, &kPerturb};
  return kAll;
}

}  // namespace lipizz::nn
