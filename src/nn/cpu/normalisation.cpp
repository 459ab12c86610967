#include "nn/cpu/normalisation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/simd.hpp"
#include "nn/base/buffer.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/function_kernel.hpp"
#include "nn/cpu/node_kernel.hpp"

// Statistics and what is done with them, channels in lanes: sums of a block of rows in single
// precision, those of the blocks in double, both in order.
namespace lipizz::nn {
namespace {

constexpr std::size_t kBlockRows = 64;

LIPIZZ_MULTIVERSION
void add_block(const float* __restrict x, std::size_t n_rows, std::size_t n,
               float* __restrict sums) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t c = 0; c < n; ++c) sums[c] += x[i * n + c];
  }
}

LIPIZZ_MULTIVERSION
void add_block_squares(const float* __restrict x, const float* __restrict mean, std::size_t n_rows,
                       std::size_t n, float* __restrict sums) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t c = 0; c < n; ++c) {
      const float distance = x[i * n + c] - mean[c];
      sums[c] += distance * distance;
    }
  }
}

// a[c] = x's factor, b[c] = what is added: y = a x + b
LIPIZZ_MULTIVERSION
void scale_rows(const float* __restrict x, const float* __restrict a, const float* __restrict b,
                std::size_t n_rows, std::size_t n, float slope, float* __restrict y) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t c = 0; c < n; ++c) {
      const float z = a[c] * x[i * n + c] + b[c];
      y[i * n + c] = z > 0 ? z : slope * z;
    }
  }
}

// sums[c] += dz * (x - mean) * rate, sums[n + c] += dz
LIPIZZ_MULTIVERSION
void add_block_products(const float* __restrict dz, const float* __restrict x,
                        const float* __restrict mean, const float* __restrict rate,
                        std::size_t n_rows, std::size_t n, float* __restrict products,
                        float* __restrict sums) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t c = 0; c < n; ++c) {
      const float d = dz[i * n + c];
      products[c] += d * ((x[i * n + c] - mean[c]) * rate[c]);
      sums[c] += d;
    }
  }
}

// dx = a dz + b x + d
LIPIZZ_MULTIVERSION
void combine_rows(const float* __restrict dz, const float* __restrict x, const float* __restrict a,
                  const float* __restrict b, const float* __restrict d, std::size_t n_rows,
                  std::size_t n, float* __restrict dx) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t c = 0; c < n; ++c) {
      dx[i * n + c] = a[c] * dz[i * n + c] + b[c] * x[i * n + c] + d[c];
    }
  }
}

// The shape of x as [groups, n_rows, n], and working memory by channel.
struct Grouped {
  Grouped(const Graph& graph, ValueId x, std::uint32_t n_groups)
      : n(graph.shape(x).back()),
        groups(n_groups),
        n_rows(n_elements(graph.shape(x)) / n / n_groups),
        block(2 * n),
        totals(2 * n),
        columns(3 * n) {}

  // totals = sums over a group's rows of what `add(first row, rows, block)` adds up in `block`.
  template <class Add>
  void sum(const Add& add) {
    std::fill(totals.begin(), totals.end(), 0.0);
    for (std::size_t first = 0; first < n_rows; first += kBlockRows) {
      std::fill(block.begin(), block.end(), 0.0f);
      add(first, std::min(kBlockRows, n_rows - first), block.data());
      for (std::size_t c = 0; c < totals.size(); ++c) totals[c] += static_cast<double>(block[c]);
    }
  }

  std::size_t n;
  std::size_t groups;
  std::size_t n_rows;
  Buffer<float> block;
  std::vector<double> totals;
  Buffer<float> columns;
};

class NormKernel : public NodeKernel {
 protected:
  NormKernel(const Graph& graph, ValueId value, std::size_t x_input, std::uint32_t groups)
      : NodeKernel(graph, value), x_(graph, node().inputs[x_input], groups) {}

  // 1 / sqrt(variance + epsilon) of one group's statistics [2, n].
  void find_rates(const float* statistics, float* rates) const {
    for (std::size_t c = 0; c < x_.n; ++c) {
      rates[c] = 1 / std::sqrt(statistics[x_.n + c] + attributes().number);
    }
  }

  Grouped x_;
};

class Statistics final : public NormKernel {
 public:
  Statistics(const Graph& graph, ValueId value)
      : NormKernel(graph, value, 0, graph.node(value).attributes.groups) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* out = result(values);
    const auto n_rows = static_cast<double>(x_.n_rows);
    for (std::size_t g = 0; g < x_.groups; ++g, x += x_.n_rows * x_.n, out += 2 * x_.n) {
      x_.sum([&](std::size_t first, std::size_t rows, float* sums) {
        add_block(x + first * x_.n, rows, x_.n, sums);
      });
      for (std::size_t c = 0; c < x_.n; ++c) out[c] = static_cast<float>(x_.totals[c] / n_rows);
      x_.sum([&](std::size_t first, std::size_t rows, float* sums) {
        add_block_squares(x + first * x_.n, out, rows, x_.n, sums);
      });
      for (std::size_t c = 0; c < x_.n; ++c) {
        out[x_.n + c] = static_cast<float>(x_.totals[c] / n_rows);
      }
    }
  }
};

class Normalise final : public NormKernel {
 public:
  Normalise(const Graph& graph, ValueId value)
      : NormKernel(graph, value, 0, graph.shape(graph.node(value).inputs[1])[0]) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* statistics = input(values, 1);
    const float* scale = input(values, 2);
    const float* shift = input(values, 3);
    const std::optional<float> slope = slope_below_zero(attributes().activation);
    float* y = result(values);
    float* a = x_.columns.data();
    float* b = a + x_.n;
    const std::size_t size = x_.n_rows * x_.n;
    for (std::size_t g = 0; g < x_.groups; ++g, x += size, y += size, statistics += 2 * x_.n) {
      find_rates(statistics, a);
      for (std::size_t c = 0; c < x_.n; ++c) {
        a[c] *= scale[c];
        b[c] = shift[c] - statistics[c] * a[c];
      }
      // An activation of two straight lines can be had in passing.
      scale_rows(x, a, b, x_.n_rows, x_.n, slope.value_or(1), y);
      finish_curve(attributes().activation, y, size);
    }
  }
};

class NormaliseSums final : public NormKernel {
 public:
  NormaliseSums(const Graph& graph, ValueId value)
      : NormKernel(graph, value, 1, graph.node(value).attributes.groups) {}

  void run(float* const* values) override {
    const float* dz = input(values, 0);
    const float* x = input(values, 1);
    const float* statistics = input(values, 2);
    float* out = result(values);
    float* rate = x_.columns.data();
    const std::size_t size = x_.n_rows * x_.n;
    for (std::size_t g = 0; g < x_.groups; ++g, dz += size, x += size) {
      find_rates(statistics, rate);
      x_.sum([&](std::size_t first, std::size_t rows, float* sums) {
        add_block_products(dz + first * x_.n, x + first * x_.n, statistics, rate, rows, x_.n, sums,
                           sums + x_.n);
      });
      for (std::size_t c = 0; c < 2 * x_.n; ++c) *out++ = static_cast<float>(x_.totals[c]);
      statistics += 2 * x_.n;
    }
  }
};

class NormaliseGradient final : public NormKernel {
 public:
  NormaliseGradient(const Graph& graph, ValueId value)
      : NormKernel(graph, value, 1, graph.node(value).attributes.groups) {}

  void run(float* const* values) override {
    const float* dz = input(values, 0);
    const float* x = input(values, 1);
    const float* statistics = input(values, 2);
    const float* scale = input(values, 3);
    const float* sums = input(values, 4);
    float* dx = result(values);
    float* a = x_.columns.data();
    float* b = a + x_.n;
    float* d = b + x_.n;
    const std::size_t size = x_.n_rows * x_.n;
    const auto n_rows = static_cast<float>(x_.n_rows);
    for (std::size_t g = 0; g < x_.groups; ++g, dz += size, x += size, dx += size) {
      find_rates(statistics, a);
      for (std::size_t c = 0; c < x_.n; ++c) {
        const float rate = a[c];
        a[c] = scale[c] * rate;
        b[c] = -a[c] * rate * sums[c] / n_rows;
        d[c] = -a[c] * sums[x_.n + c] / n_rows - b[c] * statistics[c];
      }
      combine_rows(dz, x, a, b, d, x_.n_rows, x_.n, dx);
      statistics += 2 * x_.n;
      sums += 2 * x_.n;
    }
  }
};

template <class Node>
std::unique_ptr<Kernel<float>> make(const Graph& graph, ValueId value) {
  return std::make_unique<Node>(graph, value);
}

}  // namespace

std::span<const KernelEntry> normalisation_kernels() {
  static constexpr KernelEntry kTable[] = {
      {&kStatistics, make<Statistics>},
      {&kNormalise, make<Normalise>},
      {&kNormaliseSums, make<NormaliseSums>},
      {&kNormaliseGradient, make<NormaliseGradient>},
      {&kNormaliseSecondDerivative, make_normalise_second_derivative},
  };
  return kTable;
}

}  // namespace lipizz::nn
