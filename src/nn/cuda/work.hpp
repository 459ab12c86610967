#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/check.hpp"
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

/// Where one model's values of one operation lie.
struct Operands {
  static constexpr std::uint32_t kMostInputs = 8;
  float* inputs[kMostInputs] = {};
  float* result = nullptr;
  float* workspace = nullptr;  // of the model, as many elements as were asked for
  float* copies = nullptr;     // of the model, what a library reads (nn/cuda/staged_values.hpp)
  float* partials = nullptr;   // of the model, of sums, which a launch leaves to the next one

  [[nodiscard]] constexpr float* in(std::uint32_t i) const { return inputs[i]; }
  [[nodiscard]] constexpr float* out() const { return result; }
};

/// The same as indices into a table of all values.
struct Places {
  std::uint32_t inputs[Operands::kMostInputs] = {};
  std::uint32_t result = 0;

  /// Looked up once, before anything is written. What is not used costs no look.
  [[nodiscard]] constexpr Operands in(float* const* table) const {
    Operands o;
    for (std::uint32_t i = 0; i < Operands::kMostInputs; ++i) o.inputs[i] = table[inputs[i]];
    o.result = table[result];
    return o;
  }
};

/// Where the matrices of a product lie, row by row, in one of its operands.
struct Matrix {
  static constexpr std::uint32_t kResult = ~0U;
  static constexpr std::uint32_t kWorkspace = kResult - 1;
  static constexpr std::uint32_t kPartials = kResult - 2;

  std::uint32_t operand;  // the first or second input, or one of these
  std::uint32_t row;      // elements from one row to the next
  std::size_t first = 0;  // element
  std::size_t next = 0;   // elements from one matrix to the next
  std::size_t next_slice = 0;

  [[nodiscard]] constexpr float* begin(const Operands& o, std::size_t which,
                                       std::size_t slice = 0) const {
    return memory(o) + first + which * next + slice * next_slice;
  }

 private:
  [[nodiscard]] constexpr float* memory(const Operands& o) const {
    switch (operand) {
      case kResult:
        return o.out();
      case kWorkspace:
        return o.workspace;
      case kPartials:
        return o.partials;
      default:
        return operand == 0 ? o.in(0) : o.in(1);
    }
  }
};

/// y [rows, columns] = a b over `inner`, each stored as its transpose where it says so; `n` of
/// them. What y holds is added where it says that.
struct MatrixProduct {
  Matrix a, b, y;
  std::uint32_t rows, columns, inner;
  bool transpose_a = false;
  bool transpose_b = false;
  std::uint32_t n = 1;
  bool adds = false;
};

/// A product of the first two inputs, whose matrices lie without gaps as the result's do.
constexpr MatrixProduct dense_product(std::uint32_t rows, std::uint32_t columns,
                                      std::uint32_t inner, bool transpose_a = false,
                                      bool transpose_b = false, std::uint32_t n = 1) {
  return {.a = {0, transpose_a ? rows : inner, 0, std::size_t{rows} * inner},
          .b = {1, transpose_b ? inner : columns, 0, std::size_t{inner} * columns},
          .y = {Matrix::kResult, columns, 0, std::size_t{rows} * columns},
          .rows = rows,
          .columns = columns,
          .inner = inner,
          .transpose_a = transpose_a,
          .transpose_b = transpose_b,
          .n = n};
}

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
