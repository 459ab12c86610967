#pragma once

#include <functional>
#include <numeric>
#include <vector>

#include "nn/base/buffer.hpp"
#include "nn/base/sample_source.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::testing {

/// A device's kernels as loops of the host, so that their results are tested without a device.
class HostWork : public cuda::Task {
 public:
  using Task::Task;
  static constexpr std::size_t kMostWindows = 1 << 10;  // so that tests take several parts
  using Loop = std::function<void(const cuda::Operands&)>;

  void use_workspace(std::size_t n) { n_workspace_ = n; }

  template <class F>
  void each(std::size_t n, F f) {
    loops_.push_back([=](const cuda::Operands& o) {
      for (std::size_t i = 0; i < n; ++i) f(o, i);
    });
  }

  template <class Term, class Finish>
  void sums(std::size_t n, std::size_t n_terms, Term term, Finish finish) {
    loops_.push_back([=](const cuda::Operands& o) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < n_terms; ++i) sum += term(o, j, i);
        finish(o, j, sum);
      }
    });
  }

  template <class Sum = double, class Term, class Finish>
  void column_sums(std::size_t n_parts, std::size_t n_rows, std::size_t n_columns, Term term,
                   Finish finish) {
    loops_.push_back([=](const cuda::Operands& o) {
      for (std::size_t j = 0; j < n_parts * n_columns; ++j) {
        Sum sum{};
        for (std::size_t i = 0; i < n_rows; ++i) sum += term(o, j / n_columns, i, j % n_columns);
        finish(o, j / n_columns, j % n_columns, sum);
      }
    });
  }

  static bool convolve(cuda::ConvolutionProduct) { return false; }

  void product(const cuda::MatrixProduct& p) {
    each(std::size_t{p.n} * p.rows * p.columns, [p](const cuda::Operands& o, std::size_t i) {
      const std::size_t which = i / p.columns / p.rows;
      const std::size_t row = i / p.columns % p.rows;
      const std::size_t column = i % p.columns;
      const float* a = p.a.begin(o, which);
      const float* b = p.b.begin(o, which);
      float& y = p.y.begin(o, which)[row * p.y.row + column];
      double sum = p.adds ? y : 0;
      for (std::size_t k = 0; k < p.inner; ++k) {
        sum += double{a[p.transpose_a ? k * p.a.row + row : row * p.a.row + k]} *
               b[p.transpose_b ? column * p.b.row + k : k * p.b.row + column];
      }
      y = static_cast<float>(sum);
    });
  }

  const float* cached_samples(const SampleSource& source) {
    std::vector<std::uint32_t> all(source.n_samples());
    std::iota(all.begin(), all.end(), 0U);
    samples_.resize(std::size_t{source.n_samples()} * source.sample_size());
    source.read(all, samples_);
    return samples_.data();
  }

  const float* cached_labels(const SampleSource& source) {
    labels_.clear();
    for (std::uint32_t i = 0; i < source.n_samples(); ++i) {
      labels_.push_back(static_cast<float>(source.label(i)));
    }
    return labels_.data();
  }

  void run(float* const* values) {
    workspace_.resize(n_workspace_);
    cuda::Operands o = places(1).in(values);
    o.workspace = workspace_.data();
    for (const Loop& loop : loops_) loop(o);
  }

 private:
  std::vector<Loop> loops_;
  std::size_t n_workspace_ = 0;
  Buffer<float> workspace_;
  Buffer<float> samples_;
  std::vector<float> labels_;
};

}  // namespace lipizz::nn::testing
