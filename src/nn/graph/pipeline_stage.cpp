#include "nn/graph/pipeline_stage.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/check.hpp"
#include "nn/graph/operation_cost.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/pipeline_schedule.hpp"
#include "nn/graph/slot_log.hpp"

namespace lipizz::nn {
namespace {

using Numbers = std::vector<std::uint32_t>;  // of nodes, transfers or tasks

// A value that one stage has and another one reads.
struct Transfer {
  std::uint32_t source;  // the operation that has written it
  std::uint32_t to;
  std::optional<SlotPart> part;  // none: the operation's result
};

// Values that settings alone decide: cheaper to make again than to send.
std::vector<bool> made_of_settings(const Graph& graph) {
  std::vector<bool> is_made(graph.nodes().size());
  for (std::uint32_t i = 0; i < is_made.size(); ++i) {
    const Node& node = graph.nodes()[i];
    if (node.operation == nullptr) {
      is_made[i] = graph.slots()[node.location->slot.index].access == Slot::Access::kSetting;
    } else {
      is_made[i] = !node.operation->updates_inputs && !node.operation->is_collective &&
                   std::ranges::all_of(node.inputs,
                                       [&](ValueId input) { return bool{is_made[input.index]}; });
    }
  }
  return is_made;
}

std::optional<SlotPart> part_of(const Graph& graph, ValueId value) {
  const auto [owner, offset] = graph.storage(value);
  const auto& location = graph.node(owner).location;
  if (!location) return std::nullopt;
  return SlotPart{location->slot, location->offset + offset, n_elements(graph.shape(value))};
}

// An operation writes into what it updates: of internal slots that is its first input.
bool is_written(const Graph& graph, const Node& node, std::size_t input, const SlotPart& part) {
  if (!node.operation->updates_inputs) return false;
  const Slot::Access access = graph.slots()[part.slot.index].access;
  return access == Slot::Access::kReadWrite || (access == Slot::Access::kInternal && input == 0);
}

// The operations of all stages in the order in which they may run, and what goes between stages.
class Dealt {
 public:
  explicit Dealt(const Graph& graph)
      : graph_(graph),
        is_made_of_settings_(made_of_settings(graph)),
        task_(graph.nodes().size()),
        needs_(graph.nodes().size()),
        sends_(graph.nodes().size()),
        remade_(graph.nodes().size()) {
    const std::vector<ValueId> live = graph.live_operations();
    deal(live, trunk_, [](std::uint32_t branch) { return branch == Graph::kTrunk; });
    deal(live, in_branches_, [](std::uint32_t branch) {
      return branch != Graph::kTrunk && branch != Graph::kAfterJoin;
    });
    deal(live, after_join_, [](std::uint32_t branch) { return branch == Graph::kAfterJoin; });
  }

  [[nodiscard]] const std::vector<PipelineTask>& tasks() const { return tasks_; }

  [[nodiscard]] Numbers in_order(const PipelineOrder& order) const {
    std::vector<Numbers> of_task(tasks_.size());
    for (const std::uint32_t i : in_branches_) of_task[*task_[i]].push_back(i);
    Numbers all = trunk_;
    for (const std::uint32_t task : order.tasks) {
      all.insert(all.end(), of_task[task].begin(), of_task[task].end());
    }
    all.insert(all.end(), after_join_.begin(), after_join_.end());
    return all;
  }

  [[nodiscard]] const Transfer& transfer(std::uint32_t number) const { return transfers_[number]; }
  /// Transfers that an operation waits for, and those of what it has written.
  [[nodiscard]] const Numbers& needs(std::uint32_t i) const { return needs_[i]; }
  [[nodiscard]] const Numbers& sends(std::uint32_t i) const { return sends_[i]; }
  /// Operations on settings that write where it looks.
  [[nodiscard]] const Numbers& remade(std::uint32_t i) const { return remade_[i]; }
  [[nodiscard]] bool is_made_of_settings(std::uint32_t i) const { return is_made_of_settings_[i]; }

 private:
  template <class IsDealt>
  void deal(const std::vector<ValueId>& live, Numbers& dealt, const IsDealt& is_dealt) {
    for (const ValueId value : live) {
      if (!is_dealt(graph_.node(value).branch)) continue;
      if (!is_made_of_settings_[value.index]) {
        dealt.push_back(value.index);
        if (&dealt == &in_branches_) join_task(value);
        read_inputs(value.index);
      }
      write(value.index);
    }
  }

  // One task as long as a micro-batch stays at a stage.
  void join_task(ValueId value) {
    const Node& node = graph_.node(value);
    const bool goes_on = !tasks_.empty() && tasks_.back().micro_batch == node.branch &&
                         tasks_.back().stage == node.stage;
    if (!goes_on) tasks_.push_back({.stage = node.stage, .micro_batch = node.branch});
    tasks_.back().cost += operation_cost(graph_, value);
    task_[value.index] = tasks_.size() - 1;
  }

  void read_inputs(std::uint32_t i) {
    for (const ValueId input : graph_.nodes()[i].inputs) {
      const ValueId owner = graph_.storage(input).owner;
      const auto part = part_of(graph_, input);
      if (!part) {
        if (!is_made_of_settings_[owner.index]) wait_for(i, owner.index, std::nullopt);
        continue;
      }
      const Slot::Access access = graph_.slots()[part->slot.index].access;
      if (access == Slot::Access::kRead || access == Slot::Access::kSetting) continue;
      log_.read(*part, i, [&](const SlotLog::Piece& piece) {
        if (!piece.writer) return;
        if (is_made_of_settings_[*piece.writer]) {
          remade_[i].push_back(*piece.writer);
        } else {
          wait_for(i, *piece.writer, piece.part);
        }
      });
    }
  }

  void write(std::uint32_t i) {
    const Node& node = graph_.nodes()[i];
    if (node.location) write(i, *part_of(graph_, ValueId{i}));
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      const auto part = part_of(graph_, node.inputs[input]);
      if (part && is_written(graph_, node, input, *part)) write(i, *part);
    }
  }

  // After those who look at what was there: at another stage, too, where it is received into memory
  // that what is written now will be received into later.
  void write(std::uint32_t i, const SlotPart& part) {
    log_.write(part, i, [&](const SlotLog::Piece& piece) {
      for (const std::uint32_t reader : piece.readers) follow(i, reader);
      if (piece.writer && graph_.nodes()[i].stage == graph_.nodes()[*piece.writer].stage) {
        follow(i, *piece.writer);
      }
    });
  }

  void wait_for(std::uint32_t i, std::uint32_t source, const std::optional<SlotPart>& part) {
    follow(i, source);
    const std::uint32_t to = graph_.nodes()[i].stage;
    if (graph_.nodes()[source].stage == to) return;
    const auto [known, is_new] =
        numbers_.try_emplace({source, to, part}, static_cast<std::uint32_t>(transfers_.size()));
    if (is_new) {
      transfers_.push_back({source, to, part});
      sends_[source].push_back(known->second);
    }
    needs_[i].push_back(known->second);
  }

  void follow(std::uint32_t i, std::uint32_t before) {
    if (!task_[i] || !task_[before] || *task_[i] == *task_[before]) return;
    Numbers& after = tasks_[*task_[i]].after;
    if (std::ranges::find(after, *task_[before]) == after.end()) after.push_back(*task_[before]);
  }

  const Graph& graph_;
  std::vector<bool> is_made_of_settings_;
  std::vector<std::optional<std::uint32_t>> task_;  // of each operation of a branch
  std::vector<Numbers> needs_, sends_, remade_;     // of each operation
  std::vector<Transfer> transfers_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::optional<SlotPart>>, std::uint32_t>
      numbers_;  // of transfers
  std::vector<PipelineTask> tasks_;
  Numbers trunk_, in_branches_, after_join_;
  SlotLog log_;
};

// One stage's graph in the making.
class StageGraph {
 public:
  StageGraph(const Graph& whole, const Dealt& dealt, const Pipeline& pipeline)
      : whole_(whole), dealt_(dealt), pipeline_(pipeline), made_(whole.nodes().size()) {
    for (const Slot& slot : whole.slots()) graph_.add_slot(slot);
  }

  Graph of(const Numbers& in_order) {
    for (const std::uint32_t i : in_order) {
      for (const std::uint32_t transfer : dealt_.sends(i)) {
        if (dealt_.transfer(transfer).to == pipeline_.stage()) {
          arriving_[stage_of(i)].push_back(transfer);
        }
      }
    }
    for (const std::uint32_t i : in_order) {
      if (stage_of(i) == pipeline_.stage()) add(i);
    }
    graph_.trim_internal_slots();
    return std::move(graph_);
  }

 private:
  [[nodiscard]] std::uint32_t stage_of(std::uint32_t i) const { return whole_.nodes()[i].stage; }

  void add(std::uint32_t i) {
    for (const std::uint32_t transfer : dealt_.needs(i)) receive_until(transfer);
    for (const std::uint32_t remade : dealt_.remade(i)) made({remade});
    make(i);
    for (const std::uint32_t transfer : dealt_.sends(i)) send(dealt_.transfer(transfer));
  }

  ValueId make(std::uint32_t i) {
    const Node& node = whole_.nodes()[i];
    std::vector<ValueId> inputs;
    for (const ValueId input : node.inputs) inputs.push_back(made(input));
    made_[i] = graph_.apply(*node.operation, std::move(inputs), node.attributes);
    if (node.location) graph_.place(*made_[i], node.location->slot, node.location->offset);
    return *made_[i];
  }

  // The value in this graph.
  ValueId made(ValueId value) {
    if (made_[value.index]) return *made_[value.index];
    const Node& node = whole_.node(value);
    if (node.operation == &kSlice) {
      const ValueId of = made(node.inputs.front());
      made_[value.index] = graph_.slice(of, node.attributes.offset, node.attributes.shape);
    } else if (node.operation != nullptr && dealt_.is_made_of_settings(value.index)) {
      return make(value.index);
    } else {
      LIPIZZ_ASSERT(node.location.has_value());
      made_[value.index] = graph_.view(node.location->slot, node.location->offset, node.shape);
    }
    return *made_[value.index];
  }

  void send(const Transfer& transfer) {
    const ValueId value = transfer.part ? view_of(*transfer.part) : *made_[transfer.source];
    graph_.apply(kSend, {value}, {.offset = transfer.to, .collectives = pipeline_.stages});
  }

  // In the order in which they are sent.
  void receive_until(std::uint32_t wanted) {
    std::deque<std::uint32_t>& arriving = arriving_[stage_of(dealt_.transfer(wanted).source)];
    if (std::ranges::find(arriving, wanted) == arriving.end()) return;
    std::uint32_t received = 0;
    do {
      received = arriving.front();
      arriving.pop_front();
      receive(dealt_.transfer(received));
    } while (received != wanted);
  }

  void receive(const Transfer& transfer) {
    const auto& part = transfer.part;
    const Shape shape =
        part ? Shape{static_cast<std::uint32_t>(part->n)} : whole_.nodes()[transfer.source].shape;
    const ValueId value = graph_.apply(
        kReceive, {},
        {.shape = shape, .offset = stage_of(transfer.source), .collectives = pipeline_.stages});
    if (part) {
      graph_.place(value, part->slot, part->first);
    } else {
      made_[transfer.source] = value;
    }
  }

  ValueId view_of(const SlotPart& part) {
    return graph_.view(part.slot, part.first, {static_cast<std::uint32_t>(part.n)});
  }

  const Graph& whole_;
  const Dealt& dealt_;
  const Pipeline& pipeline_;
  Graph graph_;
  std::vector<std::optional<ValueId>> made_;                     // of each node of the whole
  std::map<std::uint32_t, std::deque<std::uint32_t>> arriving_;  // by the stage they come from
};

}  // namespace

PipelineStage pipeline_stage(const Graph& whole, const Pipeline& pipeline) {
  const Dealt dealt(whole);
  const std::uint32_t n_stages = pipeline.n_stages();
  const PipelineOrder order = pipeline_order(dealt.tasks(), n_stages, pipeline.schedule);
  return {StageGraph(whole, dealt, pipeline).of(dealt.in_order(order)),
          bubble_of(dealt.tasks(), n_stages, order)};
}

}  // namespace lipizz::nn
