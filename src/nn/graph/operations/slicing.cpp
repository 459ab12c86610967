#include "nn/graph/operations/slicing.hpp"

#include "core/error.hpp"
#include "nn/graph/operations/shapes.hpp"
#include "nn/graph/operations/values.hpp"

namespace lipizz::nn {
namespace {

Shape slice_shape(Shapes in, const Attributes& attributes) {
  require(
      in.size() == 1 && attributes.offset + n_elements(attributes.shape) <= n_elements(in.front()),
      "slice", in);
  return attributes.shape;
}

void slice_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Shape& whole = g.shape(g.node(request.result).inputs.front());
  if (n_elements(whole) != n_elements(g.shape(request.result))) {
    throw InternalError("the derivative by a value of which a slice is used is not planned");
  }
  if (request.is_wanted(0)) request.give(0, g.reshape(*request.upstream, whole));
}

Shape with_channels(Shape shape, std::uint32_t n) {
  shape.back() = n;
  return shape;
}

Shape concatenate_shape(Shapes in, const Attributes&) {
  require(in.size() == 2 && with_channels(in[0], 1) == with_channels(in[1], 1), "concatenate", in);
  return with_channels(in[0], in[0].back() + in[1].back());
}

void concatenate_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const std::vector<ValueId> inputs = g.node(request.result).inputs;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::uint32_t n = g.shape(inputs[i]).back();
    if (request.is_wanted(i)) {
      request.give(i,
                   g.apply(kSliceChannels, {*request.upstream}, {.shape = {n}, .offset = offset}));
    }
    offset += n;
  }
}

Shape slice_channels_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.shape.size() == 1 &&
              attributes.offset + attributes.shape[0] <= in[0].back(),
          "slice_channels", in);
  return with_channels(in[0], attributes.shape[0]);
}

Shape pad_channels_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.shape.size() == 1 &&
              attributes.offset + in[0].back() <= attributes.shape[0],
          "pad_channels", in);
  return with_channels(in[0], attributes.shape[0]);
}

template <const Operation& adjoint>
void moved_channels_gradient(const GradientRequest& request) {
  Graph& g = request.graph;
  const Node node = g.node(request.result);
  if (!request.is_wanted(0)) return;
  const std::uint32_t n = g.shape(node.inputs[0]).back();
  request.give(
      0, g.apply(adjoint, {*request.upstream}, {.shape = {n}, .offset = node.attributes.offset}));
}

template <class T>
void concatenate(const Values<T>& v) {
  v.matrix().leftCols(v.shape(0).back()) = v.matrix(0);
  v.matrix().rightCols(v.shape(1).back()) = v.matrix(1);
}

template <class T>
void slice_channels(const Values<T>& v) {
  const auto offset = static_cast<Eigen::Index>(v.attributes().offset);
  v.matrix() = v.matrix(0).middleCols(offset, v.shape().back());
}

template <class T>
void pad_channels(const Values<T>& v) {
  const auto offset = static_cast<Eigen::Index>(v.attributes().offset);
  v.matrix().setZero();
  v.matrix().middleCols(offset, v.shape(0).back()) = v.matrix(0);
}

}  // namespace

constinit const Operation kSlice{
    .name = "slice",
    .summary = "x -> its elements from `offset` on in `shape`, in x's memory: no kernel runs",
    .shape = slice_shape,
    .gradient = slice_gradient,
    .flops = no_flops};
constinit const Operation kConcatenate{
    .name = "concatenate",
    .summary = "a [..., A], b [..., B] -> their channels one after the other [..., A + B]",
    .shape = concatenate_shape,
    .gradient = concatenate_gradient,
    .flops = no_flops,
    .reference = reference([](const auto& v) { concatenate(v); }),
    .examples = [] {
      return std::vector<Example>{
          {{{{1, 1}}, {{1, 1}}}}, {{{{3, 5}}, {{3, 17}}}}, {{{{2, 3, 5, 33}}, {{2, 3, 5, 1}}}}};
    }};
constinit const Operation kSliceChannels{
    .name = "slice_channels",
    .summary = "x [..., C] -> its channels from `offset` on [..., shape[0]]",
    .shape = slice_channels_shape,
    .gradient = moved_channels_gradient<kPadChannels>,
    .flops = no_flops,
    .reference = reference([](const auto& v) { slice_channels(v); }),
    .examples = [] {
      return std::vector<Example>{{{{{1, 1}}}, {.shape = {1}}},
                                  {{{{3, 37}}}, {.shape = {17}, .offset = 20}},
                                  {{{{2, 5, 3, 7}}}, {.shape = {3}, .offset = 2}}};
    }};
constinit const Operation kPadChannels{
    .name = "pad_channels",
    .summary = "x [..., A] -> x as the channels from `offset` on of [..., shape[0]], else zero",
    .shape = pad_channels_shape,
    .gradient = moved_channels_gradient<kSliceChannels>,
    .flops = no_flops,
    .reference = reference([](const auto& v) { pad_channels(v); }),
    .examples = [] {
      return std::vector<Example>{{{{{1, 1}}}, {.shape = {1}}},
                                  {{{{3, 17}}}, {.shape = {37}, .offset = 20}},
                                  {{{{2, 5, 3, 3}}}, {.shape = {7}, .offset = 2}}};
    }};

std::span<const Operation* const> slicing_operations() {
  static constexpr const Operation* kAll[] = {&kSlice, &kConcatenate, &kSliceChannels,
                                              &kPadChannels};
  return kAll;
}

}  // namespace lipizz::nn
