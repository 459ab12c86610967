#include <Eigen/Core>
#include <array>
#include <mutex>

#include "nn/cpu/kernels.hpp"
#include "nn/cpu/loss_kernels.hpp"
#include "nn/cpu/powers.hpp"

namespace lipizz::nn {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using MatrixMap = Eigen::Map<Matrix<T>>;
template <class T>
using RowMap = Eigen::Map<Eigen::Matrix<T, 1, Eigen::Dynamic>>;

// Eigen cuts its products by the sizes of the caches it finds, which would make the bits depend on
// the machine; these are fixed instead, once for the process.
void fix_blocking() {
  static std::once_flag is_done;
  std::call_once(is_done, [] { Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20); });
}

template <class T>
MatrixMap<T> matrix(T* const* values, const Graph& graph, ValueId value) {
  const Shape& shape = graph.shape(value);
  return {values[value.index], shape[0], shape.size() > 1 ? shape[1] : 1};
}

// Keeps the graph's shapes; each operation below is a function of (kernel, values).
template <class T>
class ReferenceKernel : public Kernel<T> {
 public:
  using Compute = void (*)(const Graph&, ValueId, T* const*);
  ReferenceKernel(const Graph& graph, ValueId value, Compute compute)
      : graph_(graph), value_(value), compute_(compute) {
    fix_blocking();
  }
  void run(T* const* values) override { compute_(graph_, value_, values); }

 private:
  Graph graph_;
  ValueId value_;
  Compute compute_;
};

template <class T, void (*compute)(const Graph&, ValueId, T* const*)>
std::unique_ptr<Kernel<T>> make_reference(const Graph& graph, ValueId value) {
  return std::make_unique<ReferenceKernel<T>>(graph, value, compute);
}

template <class T>
T activate(Activation activation, T x) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return x > 0 ? x : T{0};
    case Activation::kLeakyRelu:
      return x > 0 ? x : static_cast<T>(kLeakySlope) * x;
    case Activation::kTanh:
      return math::tanh(x);
    case Activation::kSigmoid:
      return math::sigmoid(x);
  }
  return x;
}

// The derivative, given the function's result.
template <class T>
T activation_slope(Activation activation, T y) {
  switch (activation) {
    case Activation::kNone:
      return 1;
    case Activation::kRelu:
      return y > 0 ? T{1} : T{0};
    case Activation::kLeakyRelu:
      return y > 0 ? T{1} : static_cast<T>(kLeakySlope);
    case Activation::kTanh:
      return 1 - y * y;
    case Activation::kSigmoid:
      return y * (1 - y);
  }
  return 1;
}

template <class T>
void linear(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto x = matrix(values, graph, node.inputs[0]);
  const auto w = matrix(values, graph, node.inputs[1]);
  const RowMap<T> b(values[node.inputs[2].index], w.cols());
  auto y = matrix(values, graph, value);
  y.noalias() = x * w;
  y.rowwise() += b;
  y = y.unaryExpr([&](T v) { return activate(node.attributes.activation, v); });
}

template <class T>
void matmul(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto a = matrix(values, graph, node.inputs[0]);
  const auto b = matrix(values, graph, node.inputs[1]);
  auto y = matrix(values, graph, value);
  const bool ta = node.attributes.transpose_a;
  const bool tb = node.attributes.transpose_b;
  if (ta && tb)
    y.noalias() = a.transpose() * b.transpose();
  else if (ta)
    y.noalias() = a.transpose() * b;
  else if (tb)
    y.noalias() = a * b.transpose();
  else
    y.noalias() = a * b;
}

template <class T>
void sum_rows(const Graph& graph, ValueId value, T* const* values) {
  const auto x = matrix(values, graph, graph.node(value).inputs[0]);
  RowMap<T> sums(values[value.index], x.cols());
  sums.setZero();
  for (Eigen::Index row = 0; row < x.rows(); ++row) sums += x.row(row);
}

template <class T>
void activation_gradient(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto dy = matrix(values, graph, node.inputs[0]);
  const auto y = matrix(values, graph, node.inputs[1]);
  matrix(values, graph, value) = dy.binaryExpr(
      y, [&](T d, T v) { return d * activation_slope(node.attributes.activation, v); });
}

template <class T>
void add(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  matrix(values, graph, value) =
      matrix(values, graph, node.inputs[0]) + matrix(values, graph, node.inputs[1]);
}

template <class T>
void optimizer_step(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const OptimizerSpec& o = node.attributes.optimizer;
  const auto n = static_cast<Eigen::Index>(n_elements(graph.shape(node.inputs[0])));
  using Array = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
  Array w(values[node.inputs[0].index], n);
  const Array g(values[node.inputs[1].index], n);
  const T rate = values[node.inputs[2].index][0];
  const auto step = static_cast<std::uint32_t>(values[node.inputs[2].index][1]);
  const auto beta1 = static_cast<T>(o.beta1);
  const auto beta2 = static_cast<T>(o.beta2);
  const auto keep1 = static_cast<T>(1 - o.beta1);
  const auto keep2 = static_cast<T>(1 - o.beta2);
  const auto epsilon = static_cast<T>(o.epsilon);
  Array m(values[node.inputs[3].index], n);
  if (o.kind == OptimizerKind::kSgd) {
    m = beta1 * m + g;
    w -= rate * m;
  } else if (o.kind == OptimizerKind::kRmsProp) {
    m = beta2 * m + keep2 * g * g;
    w -= rate * g / (m.sqrt() + epsilon);
  } else {
    Array v(values[node.inputs[4].index], n);
    m = beta1 * m + keep1 * g;
    v = beta2 * v + keep2 * g * g;
    const auto scale = static_cast<T>(1 / std::sqrt(1 - power(o.beta2, step + 1)));
    const auto rate_now =
        static_cast<T>(static_cast<double>(rate) / (1 - power(o.beta1, step + 1)));
    w -= rate_now * m / (v.sqrt() * scale + epsilon);
  }
}

}  // namespace

template <class T>
std::span<const KernelEntry<T>> reference_kernels() {
  static constexpr std::array<KernelEntry<T>, 12> kTable{{
      {&kLinear, make_reference<T, linear<T>>},
      {&kMatmul, make_reference<T, matmul<T>>},
      {&kSumRows, make_reference<T, sum_rows<T>>},
      {&kActivationGradient, make_reference<T, activation_gradient<T>>},
      {&kAdd, make_reference<T, add<T>>},
      {&kOptimizerStep, make_reference<T, optimizer_step<T>>},
      {&kGeneratorLoss, LossKernel<T, compute_generator_loss<T>>::make},
      {&kGeneratorLossGradient, LossKernel<T, compute_generator_loss_gradient<T>>::make},
      {&kDiscriminatorLoss, LossKernel<T, compute_discriminator_loss<T>>::make},
      {&kDiscriminatorLossGradient, LossKernel<T, compute_discriminator_loss_gradient<T>>::make},
      {&kCrossEntropy, LossKernel<T, compute_cross_entropy<T>>::make},
      {&kCrossEntropyGradient, LossKernel<T, compute_cross_entropy_gradient<T>>::make},
  }};
  return kTable;
}

template std::span<const KernelEntry<float>> reference_kernels();
template std::span<const KernelEntry<double>> reference_kernels();

}  // namespace lipizz::nn
