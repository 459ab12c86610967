#include "nn/graph/operations/collective.hpp"

#include "nn/base/collectives.hpp"
#include "nn/graph/operations/shapes.hpp"

namespace lipizz::nn {
namespace {

Shape all_reduce_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() == 2 && attributes.collectives != nullptr, "all_reduce",
          in);
  return {in[0][1]};
}

Shape all_gather_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.collectives != nullptr &&
              n_elements(in[0]) <= n_elements(attributes.shape),
          "all_gather", in);
  return attributes.shape;
}

// The values of an operation of one input.
struct Operands {
  Operands(const Graph& graph, ValueId value, float* const* values)
      : collectives(*graph.node(value).attributes.collectives),
        in(values[graph.node(value).inputs[0].index],
           n_elements(graph.shape(graph.node(value).inputs[0]))),
        out(values[value.index], n_elements(graph.shape(value))) {}

  Collectives& collectives;
  std::span<const float> in;
  std::span<float> out;
};

void all_reduce(const Graph& graph, ValueId value, float* const* values) {
  const Operands o(graph, value, values);
  o.collectives.all_reduce(o.in, o.out);
}

void all_gather(const Graph& graph, ValueId value, float* const* values) {
  const Operands o(graph, value, values);
  o.collectives.all_gather(o.in, o.out);
}

}  // namespace

constinit const Operation kAllReduce{
    .name = "all_reduce",
    .summary = "rows [N, n], an N of each rank's own -> the sum of those of all ranks [n]",
    .is_collective = true,
    .shape = all_reduce_shape,
    .flops = elementwise_flops,
    .reference = {.f32 = all_reduce}};
constinit const Operation kAllGather{
    .name = "all_gather",
    .summary = "a part, of each rank's own size -> those of all ranks, joined, in `shape`",
    .is_collective = true,
    .shape = all_gather_shape,
    .flops = no_flops,
    .reference = {.f32 = all_gather}};

std::span<const Operation* const> collective_operations() {
  static constexpr const Operation* kAll[] = {&kAllReduce, &kAllGather};
  return kAll;
}

void add_all_gather(Graph& graph, SlotId slot, std::size_t first, std::uint32_t n,
                    Collectives* collectives) {
  const auto n_all = static_cast<std::uint32_t>(graph.slots()[slot.index].n_elements);
  graph.place(graph.apply(kAllGather, {graph.view(slot, first, {n})},
                          {.shape = {n_all}, .collectives = collectives}),
              slot, 0);
}

}  // namespace lipizz::nn
