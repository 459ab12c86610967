#include "nn/cpu/broadcasting.hpp"

#include <algorithm>
#include <cmath>

#include "core/simd.hpp"
#include "nn/base/activation_functions.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/function_kernel.hpp"
#include "nn/cpu/loop_kernel.hpp"
#include "nn/cpu/row_groups.hpp"

namespace lipizz::nn {
namespace {

constexpr std::size_t kLanes = 16;

// Sums of a * b over rows of width n, for at most kLanes columns from a and b on.
void sum_columns(const float* a, const float* b, std::size_t n_rows, std::size_t n,
                 std::size_t columns, float* sums) {
  double lane[kLanes] = {};
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      lane[c] += static_cast<double>(a[row * n + c]) * static_cast<double>(b[row * n + c]);
    }
  }
  for (std::size_t c = 0; c < columns; ++c) sums[c] = static_cast<float>(lane[c]);
}

// The dot product of a single column, in lanes added up in order.
float dot(const float* a, const float* b, std::size_t n) {
  double lane[kLanes] = {};
  const std::size_t whole = n / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      lane[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
    }
  }
  double sum = 0;
  for (const double l : lane) sum += l;
  for (std::size_t i = whole; i < n; ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return static_cast<float>(sum);
}

void fill(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  std::fill_n(values[value.index], n_elements(node.shape),
              static_cast<float>(node.attributes.number));
}

void broadcast_rows(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const float* sums = values[node.inputs[0].index];
  float* out = values[value.index];
  const Groups groups(node.shape, graph.shape(node.inputs[0])[0]);
  groups.for_each_row([&](std::size_t group, std::size_t at) {
    std::copy_n(sums + group * groups.n, groups.n, out + at);
  });
}

LIPIZZ_MULTIVERSION
void multiply(const float* x, const float* factors, float* out, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) out[i] = x[i] * factors[i];
}

void scale_rows(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const float* x = values[node.inputs[0].index];
  const float* factors = values[node.inputs[1].index];
  float* out = values[value.index];
  const Groups groups(node.shape, graph.shape(node.inputs[1])[0]);
  if (groups.n_rows == 1) return multiply(x, factors, out, n_elements(node.shape));
  groups.for_each_row([&](std::size_t group, std::size_t at) {
    multiply(x + at, factors + group * groups.n, out + at, groups.n);
  });
}

void product_sums(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const Groups groups(graph.shape(node.inputs[0]), node.attributes.groups);
  const float* a = values[node.inputs[0].index];
  const float* b = values[node.inputs[1].index];
  float* sums = values[value.index];
  const std::size_t size = groups.n_rows * groups.n;
  for (std::size_t group = 0; group < groups.n_groups;
       ++group, a += size, b += size, sums += groups.n) {
    if (groups.n == 1) {
      *sums = dot(a, b, size);
      continue;
    }
    for (std::size_t c = 0; c < groups.n; c += kLanes) {
      sum_columns(a + c, b + c, groups.n_rows, groups.n, std::min(kLanes, groups.n - c), sums + c);
    }
  }
}

void modulate(const Graph& graph, ValueId value, float* const* values) {
  const Node& node = graph.node(value);
  const float* x = values[node.inputs[0].index];
  const float* factors = values[node.inputs[1].index];
  const float* shifts = values[node.inputs[2].index];
  float* out = values[value.index];
  const Groups groups(node.shape, graph.shape(node.inputs[1])[0]);
  groups.for_each_row([&](std::size_t group, std::size_t at) {
    const float* s = factors + group * groups.n;
    const float* b = shifts + group * groups.n;
    for (std::size_t c = 0; c < groups.n; ++c) {
      out[at + c] = activate(node.attributes.activation, x[at + c] * s[c] + b[c]);
    }
  });
}

void run_sum_rows(const LoopKernel& k, float* const* v) {
  const std::uint32_t n = k.first_shape().back();
  const std::uint32_t n_groups = k.attributes().groups;
  const auto n_rows = static_cast<std::uint32_t>(n_elements(k.first_shape()) / n / n_groups);
  for (std::size_t group = 0; group < n_groups; ++group) {
    sum_rows(k.input(v, 0) + group * n_rows * n, k.result(v) + group * n, n_rows, n);
  }
}

}  // namespace

std::span<const KernelEntry> broadcasting_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kFill, make_function<fill>},
      {&kSumRows, make_loop<run_sum_rows>},
      {&kBroadcastRows, make_function<broadcast_rows>},
      {&kScaleRows, make_function<scale_rows>},
      {&kProductSums, make_function<product_sums>},
      {&kModulate, make_function<modulate>},
  };
  return kTable;
}

}  // namespace lipizz::nn
