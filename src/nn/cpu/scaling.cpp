#include "nn/cpu/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "nn/cpu/reference_kernel.hpp"

namespace lipizz::nn {
namespace {

// A value's rows in parts: [n_parts, n_rows, n].
struct Parts {
  Parts(const Shape& x, std::size_t parts)
      : n_parts(parts), n_rows(n_elements(x) / x.back() / parts), n(x.back()) {}

  // Calls with each part's number and the offset of each of its rows.
  template <class Each>
  void for_each_row(const Each& each) const {
    for (std::size_t part = 0; part < n_parts; ++part) {
      for (std::size_t row = 0; row < n_rows; ++row) each(part, (part * n_rows + row) * n);
    }
  }

  std::size_t n_parts;
  std::size_t n_rows;
  std::size_t n;
};

constexpr std::size_t kLanes = 16;

// Sums of a * b over rows of width n, for at most kLanes columns from a and b on.
template <class T>
void sum_columns(const T* a, const T* b, std::size_t n_rows, std::size_t n, std::size_t columns,
                 T* sums) {
  double lane[kLanes] = {};
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      lane[c] += static_cast<double>(a[row * n + c]) * static_cast<double>(b[row * n + c]);
    }
  }
  for (std::size_t c = 0; c < columns; ++c) sums[c] = static_cast<T>(lane[c]);
}

// Of a single column, in lanes added up in order.
template <class T>
T dot(const T* a, const T* b, std::size_t n) {
  double lane[kLanes] = {};
  const std::size_t whole = n / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      lane[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
    }
  }
  double sum = 0;
  for (const double part : lane) sum += part;
  for (std::size_t i = whole; i < n; ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return static_cast<T>(sum);
}

}  // namespace

template <class T>
void fill(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  std::fill_n(values[value.index], n_elements(node.shape), static_cast<T>(node.attributes.number));
}

template <class T>
void spread_rows(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const T* sums = values[node.inputs[0].index];
  T* out = values[value.index];
  const Parts parts(node.shape, graph.shape(node.inputs[0])[0]);
  parts.for_each_row([&](std::size_t part, std::size_t at) {
    std::copy_n(sums + part * parts.n, parts.n, out + at);
  });
}

template <class T>
void scale_rows(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const T* x = values[node.inputs[0].index];
  const T* factors = values[node.inputs[1].index];
  T* out = values[value.index];
  const Parts parts(node.shape, graph.shape(node.inputs[1])[0]);
  if (parts.n_rows == 1) {
    for (std::size_t i = 0; i < n_elements(node.shape); ++i) out[i] = x[i] * factors[i];
    return;
  }
  parts.for_each_row([&](std::size_t part, std::size_t at) {
    const T* s = factors + part * parts.n;
    for (std::size_t c = 0; c < parts.n; ++c) out[at + c] = x[at + c] * s[c];
  });
}

template <class T>
void product_sums(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const Parts parts(graph.shape(node.inputs[0]), node.attributes.groups);
  const T* a = values[node.inputs[0].index];
  const T* b = values[node.inputs[1].index];
  T* sums = values[value.index];
  const std::size_t size = parts.n_rows * parts.n;
  for (std::size_t part = 0; part < parts.n_parts; ++part, a += size, b += size, sums += parts.n) {
    if (parts.n == 1) {
      *sums = dot(a, b, size);
      continue;
    }
    for (std::size_t c = 0; c < parts.n; c += kLanes) {
      sum_columns(a + c, b + c, parts.n_rows, parts.n, std::min(kLanes, parts.n - c), sums + c);
    }
  }
}

template <class T>
void modulate(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const T* x = values[node.inputs[0].index];
  const T* factors = values[node.inputs[1].index];
  const T* shifts = values[node.inputs[2].index];
  T* out = values[value.index];
  const Parts parts(node.shape, graph.shape(node.inputs[1])[0]);
  parts.for_each_row([&](std::size_t part, std::size_t at) {
    const T* s = factors + part * parts.n;
    const T* b = shifts + part * parts.n;
    for (std::size_t c = 0; c < parts.n; ++c) {
      out[at + c] = activate(node.attributes.activation, x[at + c] * s[c] + b[c]);
    }
  });
}

template <class T>
void activation_curvature(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const T* h = values[node.inputs[0].index];
  const T* dy = values[node.inputs[1].index];
  const T* y = values[node.inputs[2].index];
  T* out = values[value.index];
  for (std::size_t i = 0; i < n_elements(node.shape); ++i) {
    out[i] = h[i] * dy[i] * activation_slope_of_slope(node.attributes.activation, y[i]);
  }
}

// With r = 1 / standard deviation, x^ = (x - mean) r, n rows in a part, a = sum of h x^, b = sum of
// dz x^, A = sum of h dz - sum of h * sum of dz / n - a b / n, scale s:
// r (v - mean(v) - x^ mean(v x^)) - s r^2 A x^ / n, where v = -s r (h b + dz a) / n.
template <class T>
void normalise_curvature(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  const auto input = [&](std::size_t i) { return values[node.inputs[i].index]; };
  const T* h = input(0);
  const T* dz = input(1);
  const T* x = input(2);
  const T* statistics = input(3);
  const T* factors = input(4);
  const T* h_sums = input(5);
  const T* dz_sums = input(6);
  const T* products = input(7);
  T* out = values[value.index];
  const Parts parts(node.shape, graph.shape(node.inputs[3])[0]);
  const auto n = static_cast<T>(parts.n_rows);
  parts.for_each_row([&](std::size_t part, std::size_t at) {
    const std::size_t mean = part * 2 * parts.n;
    const std::size_t second = mean + parts.n;
    for (std::size_t c = 0; c < parts.n; ++c) {
      const T variance = statistics[second + c];
      const T r = 1 / std::sqrt(variance + static_cast<T>(node.attributes.number));
      const T normalised = (x[at + c] - statistics[mean + c]) * r;
      const T a = h_sums[mean + c];
      const T b = dz_sums[mean + c];
      const T sum_h = h_sums[second + c];
      const T sum_dz = dz_sums[second + c];
      const T of_both = products[part * parts.n + c] - sum_h * sum_dz / n - a * b / n;
      const T centred = (h[at + c] - sum_h / n) * b + (dz[at + c] - sum_dz / n) * a;
      const T along = normalised * (2 * a * b / n);
      out[at + c] = -factors[c] * r * r / n * (centred - along + of_both * normalised);
    }
  });
}

template <class T>
void move_average(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  T* average = values[node.inputs[0].index];
  const T* now = values[node.inputs[1].index];
  const T step = values[node.inputs[2].index][1];
  const T decay = std::min(static_cast<T>(node.attributes.number), (1 + step) / (10 + step));
  const T rate = 1 - decay;
  for (std::size_t i = 0; i < n_elements(graph.shape(node.inputs[0])); ++i) {
    average[i] += rate * (now[i] - average[i]);
  }
}

#define LIPIZZ_INSTANTIATE(T)                                           \
  template void fill(const Graph&, ValueId, T* const*);                 \
  template void spread_rows(const Graph&, ValueId, T* const*);          \
  template void scale_rows(const Graph&, ValueId, T* const*);           \
  template void product_sums(const Graph&, ValueId, T* const*);         \
  template void modulate(const Graph&, ValueId, T* const*);             \
  template void activation_curvature(const Graph&, ValueId, T* const*); \
  template void normalise_curvature(const Graph&, ValueId, T* const*);  \
  template void move_average(const Graph&, ValueId, T* const*);
LIPIZZ_INSTANTIATE(float)
LIPIZZ_INSTANTIATE(double)
#undef LIPIZZ_INSTANTIATE

}  // namespace lipizz::nn
