#pragma once

#include <cmath>

#include "nn/base/activation_functions.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

/// A value's rows in equal parts: [n_parts, n_rows, n].
struct Parts {
  Parts(const Shape& x, std::size_t parts)
      : n_parts(parts), n_rows(n_elements(x) / x.back() / parts), n(x.back()) {}

  /// Of an element: where it stands in [n_parts, n].
  [[nodiscard]] constexpr std::size_t factor(std::size_t i) const {
    return i / (n_rows * n) * n + i % n;
  }
  [[nodiscard]] constexpr std::size_t part(std::size_t i) const { return i / (n_rows * n); }
  [[nodiscard]] constexpr std::size_t at(std::size_t part, std::size_t row, std::size_t c) const {
    return (part * n_rows + row) * n + c;
  }

  std::size_t n_parts;
  std::size_t n_rows;
  std::size_t n;
};

template <class Work>
void fill(Work& work) {
  work.each(work.size(), [number = work.attributes().number] LIPIZZ_DEVICE(
                             const Operands& o, std::size_t i) { o.out()[i] = number; });
}

template <class Work>
void sum_rows(Work& work) {
  const Parts parts(work.shape(0), work.attributes().groups);
  work.column_sums(
      parts.n_parts, parts.n_rows, parts.n,
      [parts] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t row, std::size_t c) {
        return static_cast<double>(o.in(0)[parts.at(part, row, c)]);
      },
      [parts] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t c, double sum) {
        o.out()[part * parts.n + c] = static_cast<float>(sum);
      });
}

template <class Work>
void spread_rows(Work& work) {
  const Parts parts(work.shape(), work.shape(0)[0]);
  work.each(work.size(), [parts] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[parts.factor(i)];
  });
}

template <class Work>
void scale_rows(Work& work) {
  const Parts parts(work.shape(), work.shape(1)[0]);
  work.each(work.size(), [parts] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[i] * o.in(1)[parts.factor(i)];
  });
}

template <class Work>
void product_sums(Work& work) {
  const Parts parts(work.shape(0), work.attributes().groups);
  work.column_sums(
      parts.n_parts, parts.n_rows, parts.n,
      [parts] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t row, std::size_t c) {
        const std::size_t i = parts.at(part, row, c);
        return static_cast<double>(o.in(0)[i]) * static_cast<double>(o.in(1)[i]);
      },
      [parts] LIPIZZ_DEVICE(const Operands& o, std::size_t part, std::size_t c, double sum) {
        o.out()[part * parts.n + c] = static_cast<float>(sum);
      });
}

template <class Work>
void modulate(Work& work) {
  const Parts parts(work.shape(), work.shape(1)[0]);
  const Activation kind = work.attributes().activation;
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t f = parts.factor(i);
    o.out()[i] = activate(kind, o.in(0)[i] * o.in(1)[f] + o.in(2)[f]);
  });
}

}  // namespace lipizz::nn::cuda
