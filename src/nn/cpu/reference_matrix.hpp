#pragma once

#include <Eigen/Core>

#include "nn/cpu/reference_kernel.hpp"
#include "nn/graph/graph.hpp"

/// Values as matrices, for the reference backend's kernels.
namespace lipizz::nn {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using MatrixMap = Eigen::Map<Matrix<T>>;

/// A value as rows of its last extent.
template <class T>
MatrixMap<T> rows(T* const* values, const Graph& graph, ValueId value) {
  const Shape& shape = graph.shape(value);
  const auto n_columns = static_cast<Eigen::Index>(shape.back());
  return {values[value.index], static_cast<Eigen::Index>(n_elements(shape)) / n_columns, n_columns};
}

/// What a product's result becomes in place: the bias, the third input if there is one, is added to
/// each row, and the sum is activated.
template <class T>
void finish_product(const Graph& graph, ValueId value, T* const* values) {
  const Node& node = graph.node(value);
  MatrixMap<T> out = rows(values, graph, value);
  if (node.inputs.size() == 3) {
    using Row = Eigen::Map<const Eigen::Matrix<T, 1, Eigen::Dynamic>>;
    out.rowwise() += Row(values[node.inputs[2].index], out.cols());
  }
  if (node.attributes.activation == Activation::kNone) return;
  out = out.unaryExpr([&](T v) { return activate(node.attributes.activation, v); });
}

}  // namespace lipizz::nn
