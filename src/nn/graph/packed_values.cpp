#include "nn/graph/packed_values.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "nn/base/half.hpp"
#include "nn/graph/graph_copy.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

// Between two operations, in their order, a value that neither looks at in between.
struct Gap {
  ValueId value;
  std::size_t before, after;
  std::size_t n_elements;
};

// How much memory the values of a graph need while its operations run one after the other, and what
// it takes to need less.
class MemoryOverTime {
 public:
  explicit MemoryOverTime(const Graph& graph)
      : graph_(graph), order_(graph.live_operations()), uses_(graph.nodes().size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (!lies_elsewhere(order_[i])) uses_[order_[i].index].push_back(i);
      for (const ValueId input : graph.node(order_[i]).inputs) {
        const ValueId owner = graph.storage(input).owner;
        if (!lies_elsewhere(owner) && uses_[owner.index].back() != i)
          uses_[owner.index].push_back(i);
      }
    }
    now_.resize(order_.size());
    after_.resize(order_.size());
    for (const ValueId value : order_) add(value);
  }

  // Values are packed, largest first, that lie across the moment at which most memory is needed, as
  // long as that gets less and packing does not need as much.
  std::vector<Gap> packed_gaps() {
    std::vector<Gap> gaps = all_gaps();
    std::ranges::stable_sort(gaps, std::greater(), &Gap::n_elements);
    std::vector<Gap> packed;
    while (true) {
      const auto most = std::ranges::max_element(now_);
      if (most == now_.end()) return packed;
      const auto when = static_cast<std::size_t>(most - now_.begin());
      const auto found = std::ranges::find_if(gaps, [&](const Gap& gap) {
        return gap.before < when && when < gap.after && needed_to_pack(gap) < *most;
      });
      if (found == gaps.end()) return packed;
      pack(*found);
      packed.push_back(*found);
      gaps.erase(found);
    }
  }

 private:
  [[nodiscard]] bool lies_elsewhere(ValueId value) const {
    const Node& node = graph_.node(value);
    return node.operation == nullptr || node.location || node.shape.empty();
  }

  // From its first use to its last one; a result may take the place of what is read last.
  void add(ValueId value) {
    if (lies_elsewhere(value)) return;
    const std::vector<std::size_t>& uses = uses_[value.index];
    const std::size_t n = n_elements(graph_.shape(value));
    for (std::size_t i = uses.front(); i <= uses.back(); ++i) {
      if (i > uses.front() || !is_in_place(value)) now_[i] += n;
      if (i < uses.back()) after_[i] += n;
    }
  }

  [[nodiscard]] bool is_in_place(ValueId value) const {
    const Node& node = graph_.node(value);
    return node.operation->in_place && std::ranges::any_of(node.inputs, [&](ValueId input) {
             const ValueId owner = graph_.storage(input).owner;
             return !lies_elsewhere(owner) && graph_.shape(owner) == node.shape &&
                    uses_[owner.index].back() == uses_[value.index].front();
           });
  }

  [[nodiscard]] std::vector<Gap> all_gaps() const {
    std::vector<Gap> gaps;
    for (const ValueId value : order_) {
      if (graph_.node(value).operation != &kRound || lies_elsewhere(value)) continue;
      const std::vector<std::size_t>& uses = uses_[value.index];
      for (std::size_t i = 1; i < uses.size(); ++i) {
        if (graph_.node(order_[uses[i]]).branch != graph_.node(order_[uses[i - 1]]).branch)
          continue;
        gaps.push_back({value, uses[i - 1], uses[i], n_elements(graph_.shape(value))});
      }
    }
    return gaps;
  }

  // While it is packed and, later, unpacked.
  [[nodiscard]] std::size_t needed_to_pack(const Gap& gap) const {
    const std::size_t n_half = n_packed(gap.n_elements);
    return std::max(after_[gap.before] + n_half, after_[gap.after - 1] + n_half);
  }

  void pack(const Gap& gap) {
    const std::size_t n_saved = gap.n_elements - n_packed(gap.n_elements);
    for (std::size_t i = gap.before; i < gap.after; ++i) {
      if (i > gap.before) now_[i] -= n_saved;
      after_[i] -= n_saved;
    }
  }

  const Graph& graph_;
  std::vector<ValueId> order_;
  std::vector<std::vector<std::size_t>> uses_;  // of each value, places in that order
  std::vector<std::size_t> now_, after_;        // elements while an operation runs, and after it
};

class Packing {
 public:
  explicit Packing(const Graph& from) : from_(from), copy_(from), packed_(from.nodes().size()) {
    for (const Gap& gap : MemoryOverTime(from).packed_gaps()) {
      to_pack_[gap.before].push_back(gap.value);
      to_unpack_[gap.after].push_back(gap.value);
    }
  }

  Graph all() {
    const std::vector<ValueId> order = from_.live_operations();
    for (std::size_t i = 0; i < order.size(); ++i) {
      copy_.go_to(order[i]);
      for (const ValueId value : to_unpack_[i]) unpack(value);
      copy_.copy(order[i]);
      for (const ValueId value : to_pack_[i]) pack(value);
    }
    return std::move(copy_.graph());
  }

 private:
  void pack(ValueId value) {
    packed_[value.index] =
        copy_.graph().apply(kPack, {copy_.here(value)}, from_.node(value).attributes);
  }

  void unpack(ValueId value) {
    Attributes attributes = from_.node(value).attributes;
    attributes.shape = from_.shape(value);
    copy_.replace(value, copy_.graph().apply(kUnpack, {*packed_[value.index]}, attributes));
  }

  const Graph& from_;
  GraphCopy copy_;
  std::map<std::size_t, std::vector<ValueId>> to_pack_, to_unpack_;  // after, before an operation
  std::vector<std::optional<ValueId>> packed_;                       // of each value
};

}  // namespace

Graph with_packed_values(const Graph& graph) {
  return Packing(graph).all();
}

}  // namespace lipizz::nn
