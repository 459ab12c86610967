#include "nn/graph/mixed_precision.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "nn/graph/graph_copy.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

// The first so many inputs of a product are its factors.
constexpr std::size_t kNFactors = 2;

// Products with more operations between them have copies of their own.
constexpr std::size_t kFar = 4;

bool is_product(const Operation& operation) {
  static constexpr std::array kAll{&kLinear,
                                   &kMatmul,
                                   &kBatchMatmul,
                                   &kConvolution,
                                   &kTransposedConvolution,
                                   &kConvolutionWeightGradient};
  return std::ranges::find(kAll, &operation) != kAll.end();
}

// Derivatives of weights: products that add up over the rows of both factors.
bool adds_up_rows(const Node& node) {
  return node.operation == &kConvolutionWeightGradient ||
         (node.operation == &kMatmul && node.attributes.transpose_a);
}

// How many of the first inputs have to be of 16 bits for the result to be; 0: it never is.
std::size_t n_followed(const Operation& operation) {
  struct Row {
    const Operation* operation;
    std::size_t n;
  };
  static constexpr std::array kAll{Row{&kActivation, 1},
                                   Row{&kActivationGradient, 1},
                                   Row{&kActivationSecondDerivative, 1},
                                   Row{&kAdd, 2},
                                   Row{&kConcatenate, 2},
                                   Row{&kSliceChannels, 1},
                                   Row{&kPadChannels, 1},
                                   Row{&kUpsample, 1},
                                   Row{&kSumBlocks, 1},
                                   Row{&kMaxBlocks, 1},
                                   Row{&kPickMax, 1},
                                   Row{&kRouteMax, 1},
                                   Row{&kScaleRows, 1},
                                   Row{&kModulate, 1},
                                   Row{&kNormalise, 1},
                                   Row{&kNormaliseGradient, 1},
                                   Row{&kNormaliseSecondDerivative, 1},
                                   Row{&kSoftmax, 1},
                                   Row{&kSoftmaxGradient, 1},
                                   Row{&kDropout, 1}};
  const auto row = std::ranges::find(kAll, &operation, &Row::operation);
  return row == kAll.end() ? 0 : row->n;
}

class Rounding {
 public:
  Rounding(const Graph& from, Half format)
      : from_(from),
        copy_(from),
        attributes_(attributes_of(format)),
        is_half_(from.nodes().size()) {}

  Graph all() {
    for (const ValueId operation : from_.live_operations()) add(operation);
    return std::move(copy_.graph());
  }

 private:
  void add(ValueId operation) {
    const Node& node = from_.node(operation);
    copy_.go_to(operation);
    std::vector<ValueId> inputs = copy_.inputs_of(operation);
    if (is_product(*node.operation)) {
      for (std::size_t i = 0; i < kNFactors; ++i)
        inputs[i] = factor(node.inputs[i], inputs[i], node);
    }
    ValueId result = copy_.copy_to_nowhere(operation, std::move(inputs));
    if (has_half_result(node)) {
      result = copy_.graph().apply(kRound, {result}, attributes_);
      copy_.replace(operation, result);
      is_half_[operation.index] = true;
    }
    if (node.location) copy_.graph().place(result, node.location->slot, node.location->offset);
    forget_what_is_written(node);
    ++n_added_;
  }

  [[nodiscard]] bool is_half(ValueId value) const {
    return is_half_[from_.storage(value).owner.index];
  }

  [[nodiscard]] bool has_half_result(const Node& node) const {
    if (is_product(*node.operation)) return !adds_up_rows(node);
    const std::size_t n = n_followed(*node.operation);
    return n > 0 && std::ranges::all_of(std::span(node.inputs).first(n),
                                        [this](ValueId input) { return is_half(input); });
  }

  // A factor as a product takes it: one copy for all of a branch and a stage that are not far from
  // each other. A value that lies in a slot is rounded again later, and takes none until then.
  ValueId factor(ValueId value, ValueId here, const Node& product) {
    if (is_half(value)) return here;
    const auto [known, is_new] = rounded_.try_emplace({value, product.branch, product.stage});
    Copy& copy = known->second;
    const bool is_far = location_of(value) && n_added_ - copy.made > kFar;
    if (is_new || is_far) copy = {copy_.graph().apply(kRound, {here}, attributes_), n_added_};
    return copy.value;
  }

  [[nodiscard]] const std::optional<Location>& location_of(ValueId value) const {
    return from_.node(from_.storage(value).owner).location;
  }

  // Copies of what lies where this operation writes.
  void forget_what_is_written(const Node& node) {
    if (node.location) forget(node.location->slot);
    if (!node.operation->updates_inputs) return;
    for (const ValueId input : node.inputs) {
      if (const auto& location = location_of(input)) forget(location->slot);
    }
  }

  void forget(SlotId slot) {
    std::erase_if(rounded_, [&](const auto& copy) {
      const auto& location = location_of(std::get<0>(copy.first));
      return location && location->slot == slot;
    });
  }

  const Graph& from_;
  GraphCopy copy_;
  Attributes attributes_;
  std::vector<bool> is_half_;  // results of the other graph's operations
  struct Copy {
    ValueId value;
    std::size_t made = 0;
  };
  std::map<std::tuple<ValueId, std::uint32_t, std::uint32_t>, Copy> rounded_;
  std::size_t n_added_ = 0;  // operations
};

}  // namespace

Graph with_rounded_values(const Graph& graph, Half format) {
  return Rounding(graph, format).all();
}

}  // namespace lipizz::nn
