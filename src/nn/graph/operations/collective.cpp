#include "nn/graph/operations/collective.hpp"

#include <algorithm>
#include <vector>

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

Shape gather_parts_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && in[0].size() == 2 && attributes.shape.size() == 2 &&
              attributes.shape[1] == in[0][1] && attributes.collectives != nullptr,
          "gather_parts", in);
  return attributes.shape;
}

Shape send_shape(Shapes in, const Attributes& attributes) {
  require(in.size() == 1 && attributes.collectives != nullptr, "send", in);
  return {};
}

Shape receive_shape(Shapes in, const Attributes& attributes) {
  require(in.empty() && attributes.collectives != nullptr, "receive", in);
  return attributes.shape;
}

Shape send_gradients_shape(Shapes in, const Attributes& attributes) {
  require(!in.empty() && attributes.shape.size() == 2 && attributes.collectives != nullptr,
          "send_gradients", in);
  return {};
}

Shape add_gradients_shape(Shapes in, const Attributes& attributes) {
  require(in.size() > 1 && attributes.shape.size() == 2 && attributes.collectives != nullptr,
          "add_gradients", in);
  return {};
}

std::uint64_t n_of_all(Shapes tensors) {
  std::uint64_t n = 0;
  for (const Shape& tensor : tensors) n += n_elements(tensor);
  return n;
}

// One addition for each element and rank, of which each rank has its share.
std::uint64_t add_gradients_flops(Shapes in, const Attributes&) {
  return n_of_all(in.subspan(1));
}

Shape gather_shards_shape(Shapes in, const Attributes& attributes) {
  require(in.size() <= 1 && attributes.shape.size() == 1 && attributes.collectives != nullptr,
          "gather_shards", in);
  return attributes.shape;
}

// Elements that go to each other rank.
std::uint64_t to_others(std::uint64_t n, const Attributes& attributes) {
  return n * (attributes.collectives->size() - 1);
}

// All but a rank's own part goes to the others.
std::uint64_t others_shares(std::uint64_t n, const Attributes& attributes) {
  return to_others(n, attributes) / attributes.collectives->size();
}

std::uint64_t rows_sent(Shapes in, const Attributes& attributes) {
  return others_shares(n_elements(in[0]), attributes);
}

std::uint64_t rows_and_sum_sent(Shapes in, const Attributes& attributes) {
  return rows_sent(in, attributes) + others_shares(in[0][1], attributes);
}

std::uint64_t own_sent(Shapes, const Attributes& attributes) {
  return to_others(n_elements(attributes.shape), attributes);
}

std::uint64_t input_sent_to_all(Shapes in, const Attributes& attributes) {
  return to_others(n_elements(in[0]), attributes);
}

std::uint64_t input_sent(Shapes in, const Attributes&) {
  return n_elements(in[0]);
}

std::uint64_t gradients_sent(Shapes in, const Attributes& attributes) {
  return others_shares(n_of_all(in), attributes);
}

std::uint64_t shards_sent(Shapes, const Attributes& attributes) {
  return others_shares(n_elements(attributes.shape), attributes);
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
  const Shard range{graph.node(value).attributes.offset,
                    graph.shape(graph.node(value).inputs[0])[1]};
  const Shard own = shard_of(range, ranks.rank(), ranks.size());
  ranks.reduce_scatter(rows, range, kShardBlock, rows.subspan(own.first - range.first, own.n));
}

void all_gather(const Graph& graph, ValueId value, float* const* values) {
  const std::span<float> all = input_of(graph, value, values);
  const Attributes& attributes = graph.node(value).attributes;
  attributes.collectives->all_gather(all.subspan(attributes.offset, n_elements(attributes.shape)),
                                     all);
}

void gather_parts(const Graph& graph, ValueId value, float* const* values) {
  const Shape& shape = graph.shape(value);
  collectives_of(graph, value)
      .all_gather_in_turn(input_of(graph, value, values), shape[1],
                          {values[value.index], n_elements(shape)});
}

// Tensors that lie one after the other in a range of a buffer, of which each rank has a shard.
class Tensors {
 public:
  Tensors(const Graph& graph, ValueId value, float* const* values, std::size_t first_input)
      : attributes_(graph.node(value).attributes) {
    for (const ValueId input : std::span(graph.node(value).inputs).subspan(first_input)) {
      all_.emplace_back(values[input.index], n_elements(graph.shape(input)));
      n_ += all_.back().size();
    }
  }

  /// A rank's shard of the range, and of these tensors.
  [[nodiscard]] Shard shard(std::uint32_t rank) const {
    return shard_of(Shard{attributes_.shape[0], attributes_.shape[1]}, rank,
                    attributes_.collectives->size());
  }
  [[nodiscard]] Shard part(std::uint32_t rank) const {
    return intersection({attributes_.offset, n_}, shard(rank));
  }

  /// The elements of a part, where they lie in one tensor, or copied to here.
  [[nodiscard]] std::span<const float> at(const Shard& part, std::vector<float>& copies) const {
    copies.clear();
    std::size_t first = attributes_.offset;
    for (const std::span<const float> tensor : all_) {
      const Shard piece = intersection(part, {first, tensor.size()});
      const auto found = tensor.subspan(piece.n > 0 ? piece.first - first : 0, piece.n);
      if (piece.n == part.n) return found;
      copies.insert(copies.end(), found.begin(), found.end());
      first += tensor.size();
    }
    return copies;
  }

 private:
  const Attributes& attributes_;
  std::vector<std::span<const float>> all_;
  std::size_t n_ = 0;
};

constexpr std::size_t kPiece = std::size_t{1} << 16U;  // stays in a cache

void send_gradients(const Graph& graph, ValueId value, float* const* values) {
  Collectives& ranks = collectives_of(graph, value);
  const Tensors tensors(graph, value, values, 0);
  std::vector<float> copies;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) continue;
    for_pieces(tensors.part(ranks.rank()), kPiece,
               [&](const Shard& piece) { ranks.expect(rank, piece.n); });
    for_pieces(tensors.part(rank), kPiece,
               [&](const Shard& piece) { ranks.send(rank, tensors.at(piece, copies)); });
  }
}

void add_gradients(const Graph& graph, ValueId value, float* const* values) {
  Collectives& ranks = collectives_of(graph, value);
  const Tensors tensors(graph, value, values, 1);
  const bool is_first = graph.node(value).attributes.number == 0;
  float* const sums = values[graph.node(value).inputs[0].index];
  std::vector<float> copies;
  const auto of = [&](std::uint32_t rank, const Shard& piece) -> std::span<const float> {
    if (rank == ranks.rank()) return tensors.at(piece, copies);
    copies.resize(piece.n);
    ranks.receive_expected(rank, copies);
    return copies;
  };
  for_pieces(tensors.part(ranks.rank()), kPiece, [&](const Shard& piece) {
    float* const sum = sums + piece.first - tensors.shard(ranks.rank()).first;
    if (is_first) std::fill_n(sum, piece.n, -0.0f);  // -0 + x is x
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
      const std::span<const float> added = of(rank, piece);
      for (std::size_t i = 0; i < piece.n; ++i) sum[i] += added[i];
    }
  });
}

void gather_shards(const Graph& graph, ValueId value, float* const* values) {
  const bool has_any = !graph.node(value).inputs.empty();
  collectives_of(graph, value)
      .all_gather(has_any ? input_of(graph, value, values) : std::span<float>(),
                  {values[value.index], n_elements(graph.shape(value))});
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
    .sent = rows_and_sum_sent,
    .reference = {.f32 = all_reduce}};
constinit const Operation kReduceScatter{
    .name = "reduce_scatter",
    .summary =
        "rows [N, n] of the elements from `offset` on, an N of each rank's own -> in the first "
        "one, this rank's shard of the sum of those of all ranks",
    .updates_inputs = true,
    .is_collective = true,
    .shape = reduce_scatter_shape,
    .flops = elementwise_flops,
    .sent = rows_sent,
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
    .sent = own_sent,
    .reference = {.f32 = all_gather}};
constinit const Operation kGatherParts{
    .name = "gather_parts",
    .summary =
        "rows [k, n] of this rank's parts, dealt out to ranks in turn -> those of all [shape]",
    .is_collective = true,
    .shape = gather_parts_shape,
    .flops = no_flops,
    .sent = input_sent_to_all,
    .reference = {.f32 = gather_parts}};
constinit const Operation kSendGradients{
    .name = "send_gradients",
    .summary =
        "tensors that lie one after the other, from `offset` on, in a range of shape[1] elements "
        "from shape[0] on -> other ranks' shards of these go there",
    .updates_inputs = true,
    .is_collective = true,
    .only_sends = true,
    .shape = send_gradients_shape,
    .flops = no_flops,
    .sent = gradients_sent,
    .reference = {.f32 = send_gradients}};
constinit const Operation kAddGradients{
    .name = "add_gradients",
    .summary =
        "this rank's shard of the sums [n], and the tensors of send_gradients -> in the sums, "
        "those of all ranks are added in the order of ranks; number 0: to nothing",
    .updates_inputs = true,
    .is_collective = true,
    .shape = add_gradients_shape,
    .flops = add_gradients_flops,
    .reference = {.f32 = add_gradients}};
constinit const Operation kGatherShards{
    .name = "gather_shards",
    .summary = "what this rank has of a run of elements, or nothing -> all of it [shape]",
    .is_collective = true,
    .shape = gather_shards_shape,
    .flops = no_flops,
    .sent = shards_sent,
    .reference = {.f32 = gather_shards}};

constinit const Operation kSend{.name = "send",
                                .summary = "x -> goes to the rank `offset`",
                                .updates_inputs = true,
                                .is_collective = true,
                                .only_sends = true,
                                .shape = send_shape,
                                .flops = no_flops,
                                .sent = input_sent,
                                .reference = {.f32 = send}};
constinit const Operation kReceive{.name = "receive",
                                   .summary = "-> what the rank `offset` has sent [shape]",
                                   .is_collective = true,
                                   .shape = receive_shape,
                                   .flops = no_flops,
                                   .reference = {.f32 = receive}};

std::span<const Operation* const> collective_operations() {
  static constexpr const Operation* kAll[] = {&kAllReduce,    &kReduceScatter, &kAllGather,
                                              &kGatherParts,  &kSendGradients, &kAddGradients,
                                              &kGatherShards, &kSend,          &kReceive};
  return kAll;
}

void add_all_gather(Graph& graph, SlotId slot, const Shard& all, const Shard& own,
                    Collectives* collectives) {
  graph.apply(kAllGather, {graph.view(slot, all.first, {static_cast<std::uint32_t>(all.n)})},
              {.shape = {static_cast<std::uint32_t>(own.n)},
               .offset = own.n == 0 ? 0 : own.first - all.first,
               .collectives = collectives});
}

ValueId add_gather_parts(Graph& graph, ValueId own, std::uint32_t n_parts,
                         Collectives* collectives) {
  return graph.apply(kGatherParts, {own},
                     {.shape = {n_parts, graph.shape(own)[1]}, .collectives = collectives});
}

}  // namespace lipizz::nn
