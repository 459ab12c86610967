#pragma once

#include <cmath>

#include "nn/base/activation_functions.hpp"
#include "nn/cuda/divisor.hpp"
#include "nn/cuda/work.hpp"

namespace lipizz::nn::cuda {

/// A value's rows in equal groups: [n_groups, n_rows, n].
class Groups {
 public:
  Groups(const Shape& x, std::size_t groups)
      : n_groups(groups),
        n_rows(n_elements(x) / x.back() / groups),
        n(x.back()),
        size_(n_rows * n),
        width_(n) {}

  /// The index in [n_groups, n] of the factor of element i.
  [[nodiscard]] constexpr std::size_t factor(std::size_t i) const {
    return size_.quotient(i) * n + column(i);
  }
  [[nodiscard]] constexpr std::size_t group(std::size_t i) const { return size_.quotient(i); }
  [[nodiscard]] constexpr std::size_t column(std::size_t i) const { return width_.remainder(i); }
  [[nodiscard]] constexpr std::size_t at(std::size_t group, std::size_t row, std::size_t c) const {
    return (group * n_rows + row) * n + c;
  }

  std::size_t n_groups;
  std::size_t n_rows;
  std::size_t n;

 private:
  Divisor size_;  // of a group
  Divisor width_;
};

template <class Work>
void fill(Work& work) {
  work.each(work.size(), [number = work.attributes().number] LIPIZZ_DEVICE(
                             const Operands& o, std::size_t i) { o.out()[i] = number; });
}

template <class Work>
void sum_rows(Work& work) {
  const Groups groups(work.shape(0), work.attributes().groups);
  work.column_sums(
      groups.n_groups, groups.n_rows, groups.n,
      [groups] LIPIZZ_DEVICE(const Operands& o, std::size_t group, std::size_t row, std::size_t c) {
        return static_cast<double>(o.in(0)[groups.at(group, row, c)]);
      },
      [groups] LIPIZZ_DEVICE(const Operands& o, std::size_t group, std::size_t c, double sum) {
        o.out()[group * groups.n + c] = static_cast<float>(sum);
      });
}

template <class Work>
void broadcast_rows(Work& work) {
  const Groups groups(work.shape(), work.shape(0)[0]);
  work.each(work.size(), [groups] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[groups.factor(i)];
  });
}

template <class Work>
void scale_rows(Work& work) {
  const Groups groups(work.shape(), work.shape(1)[0]);
  work.each(work.size(), [groups] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    o.out()[i] = o.in(0)[i] * o.in(1)[groups.factor(i)];
  });
}

template <class Work>
void product_sums(Work& work) {
  const Groups groups(work.shape(0), work.attributes().groups);
  work.column_sums(
      groups.n_groups, groups.n_rows, groups.n,
      [groups] LIPIZZ_DEVICE(const Operands& o, std::size_t group, std::size_t row, std::size_t c) {
        const std::size_t i = groups.at(group, row, c);
        return static_cast<double>(o.in(0)[i]) * static_cast<double>(o.in(1)[i]);
      },
      [groups] LIPIZZ_DEVICE(const Operands& o, std::size_t group, std::size_t c, double sum) {
        o.out()[group * groups.n + c] = static_cast<float>(sum);
      });
}

template <class Work>
void modulate(Work& work) {
  const Groups groups(work.shape(), work.shape(1)[0]);
  const Activation kind = work.attributes().activation;
  work.each(work.size(), [=] LIPIZZ_DEVICE(const Operands& o, std::size_t i) {
    const std::size_t f = groups.factor(i);
    o.out()[i] = activate(kind, o.in(0)[i] * o.in(1)[f] + o.in(2)[f]);
  });
}

/// The kernels of this family, one for each operation.
template <class Work>
constexpr auto broadcasting_kernels() {
  return std::to_array<KernelEntry<Work>>({
      {&kFill, fill},
      {&kSumRows, sum_rows},
      {&kBroadcastRows, broadcast_rows},
      {&kScaleRows, scale_rows},
      {&kProductSums, product_sums},
      {&kModulate, modulate},
  });
}

}  // namespace lipizz::nn::cuda
