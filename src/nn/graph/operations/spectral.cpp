#include "nn/graph/operations/spectral.hpp"

#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

// w [..., out], u [out], v [the rest]
bool is_spectral(Shapes in) {
  return in.size() == 3 && in[0].size() >= 2 && in[1] == Shape{in[0].back()} &&
         n_elements(in[2]) * in[0].back() == n_elements(in[0]);
}

Shape iteration_shape(Shapes in, const Attributes&) {
  require(is_spectral(in), "power_iteration", in);
  return {};
}

Shape scale_shape(Shapes in, const Attributes&) {
  require(is_spectral(in), "spectral_scale", in);
  return in[0];
}

void scale_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> inputs = g.node(request.result).inputs;
  if (!request.is_wanted(0)) return;
  request.give(
      0, g.apply(kSpectralScaleGradient, {*request.upstream, inputs[0], inputs[1], inputs[2]}));
}

Shape gradient_shape(Shapes in, const Attributes&) {
  require(in.size() == 4 && in[0] == in[1] && is_spectral(in.subspan(1)), "spectral_scale_gradient",
          in);
  return in[0];
}

std::uint64_t iteration_flops(Shapes in, const Attributes&) {
  return 4 * n_elements(in[0]);
}

// The first operands as w [n_in, n_out], u and v, in double.
template <class T>
struct Operands {
  Operands(const Values<T>& values, std::size_t first)
      : w(values.matrix(first).template cast<double>()),
        u(values.matrix(first + 1).row(0).template cast<double>().transpose()),
        v(Eigen::Map<Eigen::VectorX<T>>(values.data(first + 2), w.rows()).template cast<double>()) {
  }
  [[nodiscard]] double singular_value() const { return v.dot(w * u); }

  Matrix<double> w;
  Eigen::VectorXd u, v;
};

Eigen::VectorXd of_length_one(const Eigen::VectorXd& x) {
  constexpr double kSmallest = 1e-12;
  return x / std::max(x.norm(), kSmallest);
}

template <class T>
void power_iteration(const Values<T>& values) {
  const Operands<T> at(values, 0);
  const Eigen::VectorXd v = of_length_one(at.w * at.u);
  const Eigen::VectorXd u = of_length_one(at.w.transpose() * v);
  Eigen::Map<Eigen::VectorX<T>>(values.data(1), u.size()) = u.template cast<T>();
  Eigen::Map<Eigen::VectorX<T>>(values.data(2), v.size()) = v.template cast<T>();
}

template <class T>
void spectral_scale(const Values<T>& values) {
  const Operands<T> at(values, 0);
  values.matrix() = (at.w / at.singular_value()).template cast<T>();
}

// dw = dy / s - (sum of dy w) / s^2 v u^T
template <class T>
void spectral_scale_gradient(const Values<T>& values) {
  const Operands<T> at(values, 1);
  const double s = at.singular_value();
  const Matrix<double> dy = values.matrix(0).template cast<double>();
  const double product = dy.cwiseProduct(at.w).sum();
  values.matrix() = (dy / s - product / (s * s) * at.v * at.u.transpose()).template cast<T>();
}

// Weights with their vectors; all positive, so that the singular value is far from zero. `n_first`
// inputs of the weights' shape stand in front.
template <std::size_t n_first>
std::vector<Example> examples() {
  std::vector<Example> all;
  for (const Shape& w : {Shape{2, 1}, Shape{7, 1}, Shape{64, 16}, Shape{3, 3, 5, 37}}) {
    const std::uint32_t n_out = w.back();
    const auto n_in = static_cast<std::uint32_t>(n_elements(w) / n_out);
    std::vector<ExampleInput> inputs(n_first, ExampleInput{w});
    for (const Shape& shape : {w, Shape{n_out}, Shape{n_in}}) {
      inputs.push_back({shape, Drawn::kPositive});
    }
    all.push_back({std::move(inputs)});
  }
  return all;
}

}  // namespace

constinit const Operation kPowerIteration{
    .name = "power_iteration",
    .summary =
        "w [..., out], u [out], v [rest]; updates u and v towards the first singular "
        "vectors (nn/base/spectral.hpp)",
    .updates_inputs = true,
    .shape = iteration_shape,
    .flops = iteration_flops,
    .reference = reference([](const auto& v) { power_iteration(v); }),
    .examples = examples<0>};
constinit const Operation kSpectralScale{
    .name = "spectral_scale",
    .summary = "w, u, v -> w / (v^T w u), u and v held fixed for derivatives",
    .shape = scale_shape,
    .gradient = scale_gradient,
    .flops = iteration_flops,
    .reference = reference([](const auto& v) { spectral_scale(v); }),
    .examples = examples<0>};
constinit const Operation kSpectralScaleGradient{
    .name = "spectral_scale_gradient",
    .summary = "dy, w, u, v -> derivative of spectral_scale by w",
    .shape = gradient_shape,
    .flops = iteration_flops,
    .reference = reference([](const auto& v) { spectral_scale_gradient(v); }),
    .examples = examples<1>};

std::span<const Operation* const> spectral_operations() {
  static constexpr const Operation* kAll[] = {&kPowerIteration, &kSpectralScale,
                                              &kSpectralScaleGradient};
  return kAll;
}

}  // namespace lipizz::nn
