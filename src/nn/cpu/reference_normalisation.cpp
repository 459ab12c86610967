#include <cmath>
#include <vector>

#include "nn/cpu/reference_kernel.hpp"

namespace lipizz::nn {
namespace {

// x as [groups, n_rows, n_channels], and the statistics of its groups.
template <class T>
struct Grouped {
  Grouped(const Graph& graph, ValueId x, ValueId statistics, T* const* values, double epsilon_)
      : n_channels(graph.shape(x).back()),
        groups(graph.shape(statistics)[0]),
        n_rows(n_elements(graph.shape(x)) / n_channels / groups),
        moments(values[statistics.index]),
        epsilon(epsilon_) {}

  [[nodiscard]] std::size_t group_of(std::size_t element) const {
    return element / n_channels / n_rows;
  }
  [[nodiscard]] T mean(std::size_t element) const {
    return moments[group_of(element) * 2 * n_channels + element % n_channels];
  }
  // 1 / standard deviation
  [[nodiscard]] T rate(std::size_t element) const {
    const T variance = moments[(group_of(element) * 2 + 1) * n_channels + element % n_channels];
    return 1 / std::sqrt(variance + static_cast<T>(epsilon));
  }

  std::size_t n_channels;
  std::size_t groups;
  std::size_t n_rows;
  const T* moments;
  double epsilon;
};

}  // namespace

template <class T>
void reference_statistics(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Shape& shape = graph.shape(node.inputs[0]);
  const std::size_t n = shape.back();
  const std::size_t n_rows = n_elements(shape) / n / node.attributes.groups;
  const T* x = values[node.inputs[0].index];
  T* out = values[value.index];
  for (std::size_t g = 0; g < node.attributes.groups; ++g, x += n_rows * n, out += 2 * n) {
    for (std::size_t c = 0; c < n; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < n_rows; ++i) sum += static_cast<double>(x[i * n + c]);
      const double mean = sum / static_cast<double>(n_rows);
      double squares = 0;
      for (std::size_t i = 0; i < n_rows; ++i) {
        const double distance = static_cast<double>(x[i * n + c]) - mean;
        squares += distance * distance;
      }
      out[c] = static_cast<T>(mean);
      out[n + c] = static_cast<T>(squares / static_cast<double>(n_rows));
    }
  }
}

template <class T>
void reference_normalise(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Grouped<T> x(graph, node.inputs[0], node.inputs[1], values, node.attributes.number);
  const T* in = values[node.inputs[0].index];
  const T* scale = values[node.inputs[2].index];
  const T* shift = values[node.inputs[3].index];
  T* out = values[value.index];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) {
    const std::size_t c = i % x.n_channels;
    const T z = (in[i] - x.mean(i)) * x.rate(i) * scale[c] + shift[c];
    out[i] = activate(node.attributes.activation, z);
  }
}

template <class T>
void reference_normalise_sums(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Grouped<T> x(graph, node.inputs[1], node.inputs[2], values, node.attributes.number);
  const T* dz = values[node.inputs[0].index];
  const T* in = values[node.inputs[1].index];
  std::vector<double> sums(n_elements(node.shape));
  for (std::size_t i = 0; i < n_elements(graph.shape(node.inputs[0])); ++i) {
    double* of_group = sums.data() + x.group_of(i) * 2 * x.n_channels;
    const std::size_t c = i % x.n_channels;
    of_group[c] += static_cast<double>(dz[i] * (in[i] - x.mean(i)) * x.rate(i));
    of_group[x.n_channels + c] += static_cast<double>(dz[i]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) values[value.index][i] = static_cast<T>(sums[i]);
}

template <class T>
void reference_normalise_gradient(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Grouped<T> x(graph, node.inputs[1], node.inputs[2], values, node.attributes.number);
  const T* dz = values[node.inputs[0].index];
  const T* in = values[node.inputs[1].index];
  const T* scale = values[node.inputs[3].index];
  const T* sums = values[node.inputs[4].index];
  T* dx = values[value.index];
  const auto n = static_cast<T>(x.n_rows);
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) {
    const std::size_t c = i % x.n_channels;
    const T* of_group = sums + x.group_of(i) * 2 * x.n_channels;
    const T normalised = (in[i] - x.mean(i)) * x.rate(i);
    dx[i] = scale[c] * x.rate(i) *
            (dz[i] - of_group[x.n_channels + c] / n - normalised * of_group[c] / n);
  }
}

template <class T>
void reference_update_running(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Shape& shape = graph.shape(node.inputs[1]);
  const std::size_t n = shape[2];
  const auto rows = static_cast<T>(node.attributes.shape.front());
  const T momentum = node.attributes.number;
  const T unbiased = rows > 1 ? rows / (rows - 1) : T{1};
  T* running = values[node.inputs[0].index];
  const T* statistics = values[node.inputs[1].index];
  for (std::size_t g = 0; g < shape[0]; ++g, statistics += 2 * n) {
    for (std::size_t c = 0; c < n; ++c) {
      running[c] += momentum * (statistics[c] - running[c]);
      running[n + c] += momentum * (statistics[n + c] * unbiased - running[n + c]);
    }
  }
}

#define LIPIZZ_INSTANTIATE(T)                                                   \
  template void reference_statistics(const Graph&, ValueId, T* const*);         \
  template void reference_normalise(const Graph&, ValueId, T* const*);          \
  template void reference_normalise_sums(const Graph&, ValueId, T* const*);     \
  template void reference_normalise_gradient(const Graph&, ValueId, T* const*); \
  template void reference_update_running(const Graph&, ValueId, T* const*);
LIPIZZ_INSTANTIATE(float)
LIPIZZ_INSTANTIATE(double)
#undef LIPIZZ_INSTANTIATE

}  // namespace lipizz::nn
