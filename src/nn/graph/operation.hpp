#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// The arguments of a gradient rule: the operation's node, the derivative of the loss by its result
/// (none when the result is the loss itself), and which inputs need a derivative.
struct GradientRequest {
  Graph& graph;
  ValueId result;
  std::optional<ValueId> upstream;
  std::function<bool(std::size_t input)> is_wanted;
  std::function<void(std::size_t input, ValueId gradient)> give;
};

/// The definition of an operation: a kernel on Eigen for each precision, both from one template
/// (nn/graph/operations/values.hpp). It computes one model, whose values are given by node index.
/// It shares functions of single numbers with the engines (nn/base), but no loop.
struct Reference {
  template <class T>
  using Kernel = void (*)(const Graph& graph, ValueId value, T* const* values);

  Kernel<float> f32 = nullptr;
  Kernel<double> f64 = nullptr;
};

/// One input of an example.
struct ExampleInput {
  enum class Drawn {
    kNormals,
    kPositive,  // uniform in [0.1, 1.1)
    kUniforms,  // in [0, 1)
    kIndices,   // whole numbers below `below`, as numbers: classes, the id of a loss
    kWords,     // whole numbers below `below`, as bits (nn/base/drawn_numbers.hpp); 0: of 32 bits
  };
  Shape shape;
  Drawn drawn = Drawn::kNormals;
  std::uint32_t below = 0;
  std::vector<float> values = {};  // instead of drawn ones, where there are any
};

/// An operation at work, for the conformance test.
struct Example {
  std::vector<ExampleInput> inputs;
  Attributes attributes = {};
  bool has_source = false;  // `attributes.source` is set by whoever runs the example
};

/// A kind of operation. A record stands in its family's source (nn/graph/operations); the engines
/// add kernels of their own where they differ (nn/cpu, nn/cuda). Every record is run through
/// tests/nn/graph/operations_conformance_test.cpp.
struct Operation {
  std::string_view name;
  std::string_view summary;     // inputs, result and the attributes that it uses
  bool updates_inputs = false;  // has no result and writes into its inputs
  bool in_place = false;        // an element depends on those at its place alone: kernels may be
                                // given a result that lies on an input
  bool is_collective = false;   // computed by several ranks together, tested by tests/parallel; of
                                // its inputs it updates the first, if any
  bool only_sends = false;      // a collective one that waits for no other rank
  /// The result's shape, empty when there is none. InternalError when the inputs do not fit.
  Shape (*shape)(std::span<const Shape> inputs, const Attributes& attributes);
  /// The backward pass, written in operations; null: not differentiable.
  void (*gradient)(const GradientRequest& request) = nullptr;
  /// The same of operations that follow one another (Graph::differentiate_together), one request
  /// for each; null: they are not joined.
  void (*joint_gradient)(std::span<const GradientRequest> requests) = nullptr;
  /// Multiplications and additions.
  std::uint64_t (*flops)(std::span<const Shape> inputs, const Attributes& attributes);
  /// The elements that this rank sends in a collective one, about; null: none.
  std::uint64_t (*sent)(std::span<const Shape> inputs, const Attributes& attributes) = nullptr;
  Reference reference = {};
  /// Odd sizes, and both ends of what engines tell apart: one element and more than a vector's.
  std::vector<Example> (*examples)() = nullptr;
};

/// Makes the bits of references the same on all machines. Called before the first one runs.
void prepare_references();

}  // namespace lipizz::nn
