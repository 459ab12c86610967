#pragma once

#include <Eigen/Core>

#include "nn/base/activation_functions.hpp"
#include "nn/graph/operation.hpp"

/// Values as Eigen's matrices and arrays: what references are written with.
namespace lipizz::nn {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Array = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using MatrixMap = Eigen::Map<Matrix<T>>;
template <class T>
using ArrayMap = Eigen::Map<Array<T>>;

/// The operands of one operation of a graph, for one model.
template <class T>
class Values {
 public:
  using Scalar = T;

  Values(const Graph& graph, ValueId value, T* const* values)
      : graph_(graph), value_(value), values_(values) {}

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] ValueId value() const { return value_; }
  [[nodiscard]] const Node& node() const { return graph_.node(value_); }
  [[nodiscard]] const Attributes& attributes() const { return node().attributes; }
  [[nodiscard]] T number() const { return static_cast<T>(attributes().number); }

  [[nodiscard]] const Shape& shape() const { return node().shape; }
  [[nodiscard]] const Shape& shape(std::size_t i) const { return graph_.shape(node().inputs[i]); }
  [[nodiscard]] bool has_input(std::size_t i) const { return i < node().inputs.size(); }
  [[nodiscard]] T* data() const { return values_[value_.index]; }
  [[nodiscard]] T* data(std::size_t i) const { return values_[node().inputs[i].index]; }

  /// The result, an input, as a matrix of the rows of its last dimension.
  [[nodiscard]] MatrixMap<T> matrix() const { return rows_of<MatrixMap<T>>(data(), shape()); }
  [[nodiscard]] MatrixMap<T> matrix(std::size_t i) const {
    return rows_of<MatrixMap<T>>(data(i), shape(i));
  }
  /// The same for arithmetic element by element.
  [[nodiscard]] ArrayMap<T> array() const { return rows_of<ArrayMap<T>>(data(), shape()); }
  [[nodiscard]] ArrayMap<T> array(std::size_t i) const {
    return rows_of<ArrayMap<T>>(data(i), shape(i));
  }
  /// In so many rows.
  [[nodiscard]] ArrayMap<T> in_rows(std::size_t n_rows) const {
    return map<ArrayMap<T>>(data(), n_rows, n_elements(shape()) / n_rows);
  }
  [[nodiscard]] ArrayMap<T> in_rows(std::size_t n_rows, std::size_t i) const {
    return map<ArrayMap<T>>(data(i), n_rows, n_elements(shape(i)) / n_rows);
  }

  template <class Map>
  static Map map(T* data, std::size_t n_rows, std::size_t n_columns) {
    return {data, static_cast<Eigen::Index>(n_rows), static_cast<Eigen::Index>(n_columns)};
  }

 private:
  template <class Map>
  static Map rows_of(T* data, const Shape& shape) {
    return map<Map>(data, n_elements(shape) / shape.back(), shape.back());
  }

  const Graph& graph_;
  ValueId value_;
  T* const* values_;
};

/// A generic function of Values, without captures, as both kernels of a reference.
template <class Function>
constexpr Reference reference(Function) {
  return {.f32 = [](const Graph& graph, ValueId value,
                    float* const* values) { Function{}(Values<float>(graph, value, values)); },
          .f64 = [](const Graph& graph, ValueId value,
                    double* const* values) { Function{}(Values<double>(graph, value, values)); }};
}

/// Finishes a product's result in place: the bias, the third input if there is one, is added to
/// each row, and the sum is activated.
template <class T>
void finish_product(const Values<T>& v) {
  MatrixMap<T> out = v.matrix();
  if (v.has_input(2)) out.rowwise() += v.matrix(2).row(0);
  const Activation kind = v.attributes().activation;
  if (kind != Activation::kNone) out = out.unaryExpr([kind](T z) { return activate(kind, z); });
}

/// Each row of `rows` [G, C] as often in turn as it takes to have `n_rows` of them.
template <class Rows>
auto repeated(const Rows& rows, Eigen::Index n_rows) {
  using T = typename Rows::Scalar;
  const Eigen::Index times = n_rows / rows.rows();
  return Array<T>::NullaryExpr(n_rows, rows.cols(), [rows, times](Eigen::Index i, Eigen::Index j) {
    return T{rows(i / times, j)};
  });
}

/// Sums over the rows of each of as many groups as `sums` [G, C] has rows; taken in double.
template <class Rows, class Sums>
void sum_groups(const Rows& x, Sums sums) {
  using T = typename Sums::Scalar;
  const Eigen::Index n = x.rows() / sums.rows();
  for (Eigen::Index g = 0; g < sums.rows(); ++g) {
    sums.row(g) = x.middleRows(g * n, n).template cast<double>().colwise().sum().template cast<T>();
  }
}

}  // namespace lipizz::nn
