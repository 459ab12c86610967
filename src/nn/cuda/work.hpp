#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/check.hpp"
#include "nn/cuda/matrix_product.hpp"
#include "nn/cuda/operands.hpp"
#include "nn/graph/graph.hpp"
#include "nn/graph/operations.hpp"

/// How an operation is put to a device: as loops that know nothing of each other.
///
/// A kernel of this folder is a function of a `Work`, which is one operation of a graph with
/// functions to say what is to be computed. It says so in lambdas over the elements, written once.
/// The CUDA plan's work makes launches over all models of them (nn/cuda/launch.cuh); that of the
/// tests loops over them on the host, so that what they say is checked where there is no device. A
/// Work offers
///
///     each(n, f)                          f(operands, i) for i < n, in any order
///     sums(n, n_terms, term, finish)      finish(operands, j, sum of term(operands, j, i) over
///                                         i < n_terms) for j < n; sums are taken in double
///     column_sums<Sum>(n_parts, n_rows, n_columns, term, finish)
///                                         the same over the rows of each part: term(operands,
///                                         part, row, column), finish(operands, part, column, sum);
///                                         a Sum is a double, or TwoSums that are taken at once
///     product(how)                        a matrix product, of operands and workspace
///     use_workspace(n)                      n elements of workspace for each model, for all of it
///     convolve(which)                     has the library compute this convolution, without its
///                                         bias and activation; false where that is not its part
///     kMostWindows                        elements of workspace that im2col may take for a model
///     cached_samples(source), cached_labels(source)
///                                         all of them, in the device's memory
///
/// one after the other; each sees what those before it wrote. `LIPIZZ_DEVICE` stands in front of
/// such a lambda's body.
#if defined(__CUDACC__)
#define LIPIZZ_DEVICE __device__
#else
#define LIPIZZ_DEVICE
#endif

namespace lipizz::nn::cuda {

/// A device's kernel of one operation; the table of a family stands behind its kernels.
template <class Work>
struct KernelEntry {
  const Operation* operation;
  void (*compute)(Work& work);
};

/// Two sums over the same terms.
struct TwoSums {
  double first = 0;
  double second = 0;

  constexpr TwoSums& operator+=(const TwoSums& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

/// The three products of a convolution: forward, and its input and weight gradients.
enum class ConvolutionProduct { kForward, kInputGradient, kWeightGradient };

/// The operation that a work is made for.
class Task {
 public:
  Task(const Graph& graph, ValueId value) : graph_(graph), value_(value) {
    LIPIZZ_ASSERT(node().inputs.size() <= Operands::kMostInputs);
  }

  [[nodiscard]] const Node& node() const { return graph_.node(value_); }
  [[nodiscard]] const Attributes& attributes() const { return node().attributes; }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] ValueId value() const { return value_; }
  [[nodiscard]] const Shape& shape() const { return node().shape; }
  [[nodiscard]] const Shape& shape(std::size_t input) const {
    return graph_.shape(node().inputs[input]);
  }
  /// Elements of the result, of an input.
  [[nodiscard]] std::size_t size() const { return n_elements(shape()); }
  [[nodiscard]] std::size_t size(std::size_t input) const { return n_elements(shape(input)); }
  [[nodiscard]] bool has_input(std::size_t i) const { return i < node().inputs.size(); }

  /// True when a value begins at a multiple of so many elements of its slot, or lies in a plan's
  /// own memory, where all do.
  [[nodiscard]] bool begins_at_multiple_of(std::size_t n, ValueId value) const {
    const auto [owner, offset] = graph_.storage(value);
    const auto& location = graph_.node(owner).location;
    return (offset + (location ? location->offset : 0)) % n == 0;
  }

  /// In a table that has `n` values of each node in a row.
  [[nodiscard]] Places places(std::uint32_t n) const {
    Places places;
    for (std::size_t i = 0; i < node().inputs.size(); ++i) {
      places.inputs[i] = node().inputs[i].index * n;
    }
    places.result = value_.index * n;
    return places;
  }

 private:
  const Graph& graph_;
  ValueId value_;
};

}  // namespace lipizz::nn::cuda
