#include "nn/exec/checking_device.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "nn/base/precision.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

double rms(std::span<const float> values) {
  double squares = 0;
  for (const float value : values) squares += double{value} * double{value};
  return values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
}

// The largest difference in units of what is tolerated.
double excess(std::span<const float> found, std::span<const float> wanted, double tolerance) {
  const double unit = tolerance * (rms(found) + rms(wanted));
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!std::isfinite(found[i]) && !std::isfinite(wanted[i])) continue;
    const double difference = std::abs(double{found[i]} - double{wanted[i]});
    if (difference > 0) largest = std::max(largest, std::isfinite(unit) ? difference / unit : 2);
    if (std::isnan(difference)) return 2;
  }
  return largest;
}

// How exactly the device is to compute, and how far from the processor it may come.
struct Demands {
  Exactness exactness;
  double tolerance;
};

// An operation on both sides, for one model at a time. The device computes it on copies that begin
// as a plan of this operation alone expects them to.
class CheckedOperation {
 public:
  CheckedOperation(Device& checked, const Engine& reference, const Demands& demands,
                   const Graph& graph, ValueId value)
      : checked_(checked),
        tolerance_(demands.tolerance),
        graph_(operation_alone(graph, value)),
        what_(describe(graph, value)),
        plan_(checked.plan(graph_, 1, demands.exactness)),
        host_plan_(reference, graph_, 1) {
    for (std::uint32_t i = 0; i < graph_.slots().size(); ++i) {
      host_.emplace_back(graph_.slots()[i].n_elements);
      found_.emplace_back(graph_.slots()[i].n_elements);
      memory_.emplace_back(checked, graph_.slots()[i].n_elements);
      plan_->bind({i}, 0, memory_.back().region());
      host_plan_.bind({i}, 0, std::span<float>(host_.back()));
    }
    const bool updates_inputs = graph.node(value).operation->updates_inputs;
    first_written_ = updates_inputs ? 0 : graph_.slots().size() - 1;
  }

  // operands: where each slot's values lie on the checked device.
  void run(const std::vector<Region>& operands) {
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      checked_.download(operands[i], host_[i]);
      checked_.upload(host_[i], memory_[i].region());
    }
    plan_->run();
    host_plan_.run();
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      checked_.download(memory_[i].region(), found_[i]);
      const double times = excess(found_[i], host_[i], tolerance_);
      if (times > 1) {
        throw InternalError("device " + std::string(checked_.name()) + " computes " + what_ +
                            " otherwise than the processor: by up to " + std::to_string(times) +
                            " times what is tolerated");
      }
      if (i >= first_written_) checked_.upload(found_[i], operands[i]);
    }
  }

 private:
  static std::string describe(const Graph& graph, ValueId value) {
    const Node& node = graph.node(value);
    std::string text(node.operation->name);
    for (const ValueId input : node.inputs) text += " " + to_string(graph.shape(input));
    return text + " -> " + to_string(node.shape);
  }

  Device& checked_;
  double tolerance_;
  Graph graph_;
  std::string what_;
  std::unique_ptr<DevicePlan> plan_;
  Plan<float> host_plan_;
  std::vector<DeviceMemory> memory_;  // per slot
  std::vector<Buffer<float>> host_;   // what the reference makes there
  std::vector<Buffer<float>> found_;  // and what the device has made
  std::size_t first_written_ = 0;     // the slot of the result, unless inputs are updated
};

// Every value has memory of its own.
class CheckingPlan final : public DevicePlan {
 public:
  CheckingPlan(Device& checked, const Engine& reference, const Demands& demands, const Graph& graph,
               std::uint32_t n_models)
      : graph_(graph), bound_(n_models), settings_(n_models) {
    for (const ValueId value : graph_.live_operations()) {
      live_.push_back(value);
      operations_.push_back(
          std::make_unique<CheckedOperation>(checked, reference, demands, graph_, value));
      const Node& node = graph_.node(value);
      results_.emplace_back(checked, node.location ? 0 : n_elements(node.shape));
    }
    for (std::uint32_t model = 0; model < n_models; ++model) {
      bound_[model].resize(graph_.slots().size());
      settings_[model].resize(graph_.slots().size());
      for (std::size_t i = 0; i < graph_.slots().size(); ++i) give_memory(checked, model, i);
    }
  }

  void bind(SlotId slot, std::uint32_t model, Region memory) override {
    check_size(graph_.slots()[slot.index], memory.size);
    bound_[model][slot.index] = memory;
  }

  std::span<float> setting(SlotId slot, std::uint32_t model) override {
    return settings_[model][slot.index].host();
  }

  void run() override {
    for (std::uint32_t model = 0; model < bound_.size(); ++model) {
      for (HostDeviceBuffer& setting : settings_[model]) setting.push(setting.size());
      for (std::size_t i = 0; i < live_.size(); ++i) operations_[i]->run(operands(model, live_[i]));
    }
  }

  [[nodiscard]] std::size_t n_launches() const override { return live_.size() * bound_.size(); }

 private:
  void give_memory(Device& checked, std::uint32_t model, std::size_t slot) {
    const Slot& given = graph_.slots()[slot];
    if (given.access == Slot::Access::kInternal) {
      internal_.emplace_back(checked, given.n_elements);
      bound_[model][slot] = internal_.back().region();
    } else if (given.access == Slot::Access::kSetting) {
      settings_[model][slot] = HostDeviceBuffer(checked, given.n_elements);
      bound_[model][slot] = settings_[model][slot].region();
    }
  }

  [[nodiscard]] Region region(std::uint32_t model, ValueId value) const {
    const auto [owner, offset] = graph_.storage(value);
    const std::size_t n = n_elements(graph_.shape(value));
    if (const auto& location = graph_.node(owner).location) {
      return bound_[model][location->slot.index].part(location->offset + offset, n);
    }
    const auto place = std::ranges::lower_bound(live_, owner) - live_.begin();
    return results_[static_cast<std::size_t>(place)].region().part(offset, n);
  }

  [[nodiscard]] std::vector<Region> operands(std::uint32_t model, ValueId value) const {
    std::vector<Region> all;
    for (const ValueId input : graph_.node(value).inputs) all.push_back(region(model, input));
    if (!graph_.node(value).operation->updates_inputs) all.push_back(region(model, value));
    return all;
  }

  const Graph graph_;
  std::vector<ValueId> live_;
  std::vector<std::unique_ptr<CheckedOperation>> operations_;  // of each that is live
  std::vector<DeviceMemory> results_;                          // models use it in turn
  std::vector<DeviceMemory> internal_;
  std::vector<std::vector<Region>> bound_;               // per model, per slot
  std::vector<std::vector<HostDeviceBuffer>> settings_;  // empty for other slots
};

}  // namespace

CheckingDevice::CheckingDevice(std::unique_ptr<Device> checked, const Engine& reference,
                               double tolerance)
    : checked_(std::move(checked)),
      reference_(reference),
      tolerance_(tolerance),
      name_("check:" + std::string(checked_->name())) {}

std::unique_ptr<DevicePlan> CheckingDevice::plan(const Graph& graph, std::uint32_t n_models,
                                                 Exactness exactness) {
  const double tolerance = exactness == Exactness::kStrict
                               ? std::min(tolerance_, tolerance_of(Precision::kF32))
                               : tolerance_;
  return std::make_unique<CheckingPlan>(*checked_, reference_, Demands{exactness, tolerance}, graph,
                                        n_models);
}

}  // namespace lipizz::nn
