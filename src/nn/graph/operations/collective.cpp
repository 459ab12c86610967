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

Shape reduce_scatter_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() == 2 && attributes.collectives != nullptr,
          "reduce_scatter", in);
  return {};
}

Shape all_gather_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.collectives != nullptr &&
              attributes.offset + n_elements(attributes.shape) <= n_elements(in[0]),
          "all_gather", in);
  return {};
}

Shape send_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.collectives != nullptr, "send", in);
  return {};
}

Shape receive_shape(Shapes in, const Attributes& attributes) {
  require(in.empty() && attributes.collectives != nullptr, "receive", in);
  return attributes.shape;
}

Collectives& collectives_of(const Graph& graph, ValueId value) {
  return *graph.node(value).attributes.collectives;
}

std::span<float> input_of(const Graph& graph, ValueId value, float* const* values) {
  const ValueId input = graph.node(value).inputs[0];
  return {values[input.index], n_elements(graph.shape(input))};
}

void all_reduce(const Graph& graph, ValueId value, float* const* values) {
  const std::span<float> sum(values[value.index], n_elements(graph.shape(value)));
  collectives_of(graph, value).all_reduce(input_of(graph, value, values), sum);
}

void reduce_scatter(const Graph& graph, ValueId value, float* const* values) {
  Collectives& ranks = collectives_of(graph, value);
  const std::span<float> rows = input_of(graph, value, values);
  const std::size_t n = graph.shape(graph.node(value).inputs[0])[1];
  const Shard own = shard_of(n, ranks.rank(), ranks.size());
  ranks.reduce_scatter(rows, n, kShardBlock, rows.subspan(own.first, own.n));
}

void all_gather(const Graph& graph, ValueId value, float* const* values) {
  const std::span<float> all = input_of(graph, value, values);
  const Attributes& attributes = graph.node(value).attributes;
  attributes.collectives->all_gather(all.subspan(attributes.offset, n_elements(attributes.shape)),
                                     all);
}

void send(const Graph& graph, ValueId value, float* const* values) {
  const auto to = static_cast<std::uint32_t>(graph.node(value).attributes.offset);
  collectives_of(graph, value).send(to, input_of(graph, value, values));
}

void receive(const Graph& graph, ValueId value, float* const* values) {
  const auto from = static_cast<std::uint32_t>(graph.node(value).attributes.offset);
  collectives_of(graph, value).receive(from, {values[value.index], n_elements(graph.shape(value))});
}

}  // namespace

constinit const Operation kAllReduce{
    .name = "all_reduce",
    .summary = "rows [N, n], an N of each rank's own -> the sum of those of all ranks [n]",
    .is_collective = true,
    .shape = all_reduce_shape,
    .flops = elementwise_flops,
    .reference = {.f32 = all_reduce}};
constinit const Operation kReduceScatter{
    .name = "reduce_scatter",
    .summary =
        "rows [N, n], an N of each rank's own -> in the first one, this rank's shard of the "
        "sum of those of all ranks",
    .updates_inputs = true,
    .is_collective = true,
    .shape = reduce_scatter_shape,
    .flops = elementwise_flops,
    .reference = {.f32 = reduce_scatter}};
constinit const Operation kAllGather{
    .name = "all_gather",
    .summary =
        "x, of which this rank has n_elements(shape) from `offset` on -> what other ranks "
        "have of it around that",
    .updates_inputs = true,
    .is_collective = true,
    .shape = all_gather_shape,
    .flops = no_flops,
    .reference = {.f32 = all_gather}};

constinit const Operation kSend{.name = "send",
                                .summary = "x -> goes to the rank `offset`",
                                .updates_inputs = true,
                                .is_collective = true,
                                .shape = send_shape,
                                .flops = no_flops,
                                .reference = {.f32 = send}};
constinit const Operation kReceive{.name = "receive",
                                   .summary = "-> what the rank `offset` has sent [shape]",
                                   .is_collective = true,
                                   .shape = receive_shape,
                                   .flops = no_flops,
                                   .reference = {.f32 = receive}};

std::span<const Operation* const> collective_operations() {
  static constexpr const Operation* kAll[] = {&kAllReduce, &kReduceScatter, &kAllGather, &kSend,
                                              &kReceive};
  return kAll;
}

void add_all_gather(Graph& graph, SlotId slot, std::size_t n_all, const Shard& own,
                    Collectives* collectives) {
  graph.apply(kAllGather, {graph.view(slot, 0, {static_cast<std::uint32_t>(n_all)})},
              {.shape = {static_cast<std::uint32_t>(own.n)},
               .offset = own.first,
               .collectives = collectives});
}

}  // namespace lipizz::nn
