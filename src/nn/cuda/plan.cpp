#include "nn/cuda/plan.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "nn/cuda/divisor.hpp"
#include "nn/graph/memory_plan.hpp"
#include "nn/graph/operation.hpp"

namespace lipizz::nn::cuda {
namespace {

// Kernels count elements with 31 bits.
void check_sizes(const Graph& graph) {
  for (const ValueId value : graph.live_operations()) {
    if (n_elements(graph.shape(value)) < Divisor::kMost) continue;
    throw ConfigError("device cuda: a value of shape " + to_string(graph.shape(value)) +
                      " has 2^31 elements or more; a smaller batch_size helps");
  }
}

}  // namespace

CudaPlan::CudaPlan(CudaDevice& device, const Graph& described, std::uint32_t n_models,
                   Exactness exactness)
    : device_(device),
      graph_(described),
      n_models_(n_models),
      views_(graph_.slot_views()),
      pointers_(graph_.nodes().size() * n_models, nullptr),
      exchange_(device.stream(), n_models) {
  check_sizes(graph_);
  device_.make_current();
  const MemoryPlan memory = plan_memory(graph_, padded<float>(1));
  give_own_memory(memory.n_elements, memory.offsets);
  memory_.table = DeviceBytes(pointers_.size() * sizeof(float*));
  turns_.resize(kTurns);
  for (Turn& turn : turns_) {
    turn.pointers = std::make_unique<PinnedBytes>(pointers_.size() * sizeof(float*));
    turn.settings = std::make_unique<PinnedBytes>(n_models_ * n_settings_ * sizeof(float));
  }
  cut(exactness);
}

CudaPlan::~CudaPlan() {
  cudaStreamSynchronize(device_.stream());  // what it still runs reads this memory
}

// Results that lie in no slot, then the slots that are the plan's own, of one model after the
// other; and the settings, which lie apart because they are copied before each run.
void CudaPlan::give_own_memory(std::size_t n_results, const std::vector<std::size_t>& offsets) {
  std::vector<std::size_t> slot_offsets(graph_.slots().size(), 0);
  setting_offsets_.resize(graph_.slots().size(), 0);
  std::size_t n_own = n_results;
  for (std::size_t i = 0; i < graph_.slots().size(); ++i) {
    const Slot& slot = graph_.slots()[i];
    if (slot.access == Slot::Access::kInternal) {
      slot_offsets[i] = n_own;
      n_own += padded<float>(slot.n_elements);
    } else if (slot.access == Slot::Access::kSetting) {
      setting_offsets_[i] = n_settings_;
      n_settings_ += padded<float>(slot.n_elements);
    }
  }
  memory_.own = DeviceBytes(n_models_ * n_own * sizeof(float));
  memory_.settings = DeviceBytes(n_models_ * n_settings_ * sizeof(float));
  for (std::uint32_t model = 0; model < n_models_; ++model) {
    float* own = memory_.own.as<float>() + model * n_own;
    for (std::uint32_t i = 0; i < graph_.nodes().size(); ++i) {
      const auto [owner, offset] = graph_.storage({i});
      if (offsets[owner.index] == MemoryPlan::kNowhere) continue;
      pointers_[std::size_t{i} * n_models_ + model] = own + offsets[owner.index] + offset;
    }
    for (std::uint32_t i = 0; i < graph_.slots().size(); ++i) {
      const Slot::Access access = graph_.slots()[i].access;
      if (access == Slot::Access::kInternal) point(SlotId{i}, model, own + slot_offsets[i]);
      if (access == Slot::Access::kSetting) {
        point(SlotId{i}, model,
              memory_.settings.as<float>() + model * n_settings_ + setting_offsets_[i]);
      }
    }
  }
}

// Into sections: captured launches, and between them operations that are left to the host.
void CudaPlan::cut(Exactness exactness) {
  StagedValues staged;
  LaunchContext context{.stream = device_.stream(),
                        .cublas = device_.cublas(),
                        .products = device_.products(exactness),
                        .convolutions = device_.convolutions(exactness),
                        .n_models = n_models_,
                        .values = memory_.table.as<float*>(),
                        .own = pointers_.data(),
                        .binds_parts = device_.pipeline() != nullptr,
                        .staged = &staged};
  give_workspaces(context);
  const auto is_hosted = [this](ValueId value) { return is_left_to_host(graph_, value); };
  const std::vector<ValueId> live = graph_.live_operations();
  for (std::span<const ValueId> left(live); !left.empty();) {
    const auto n = static_cast<std::size_t>(std::ranges::find_if(left, is_hosted) - left.begin());
    Section& section = sections_.emplace_back();
    if (n > 0) section.launches = capture(left.first(n), context);
    if (n == left.size()) return;
    exchange_.make_room(section.operation.emplace(graph_, left[n]));
    staged.expire();  // the operation may have updated values
    left = left.subspan(n + 1);
  }
}

void CudaPlan::give_workspaces(LaunchContext& context) {
  LaunchNeeds needs;
  for (const ValueId value : graph_.live_operations()) {
    if (is_left_to_host(graph_, value)) continue;
    const LaunchNeeds of_one = measure(graph_, value, context, *this);
    needs.n_workspace = std::max(needs.n_workspace, padded<float>(of_one.n_workspace));
    needs.n_partials = std::max(needs.n_partials, padded<float>(of_one.n_partials));
    needs.n_pointers = std::max(needs.n_pointers, of_one.n_pointers);
    needs.library_workspace_bytes =
        std::max(needs.library_workspace_bytes, of_one.library_workspace_bytes);
  }
  const std::size_t n_staged = context.staged->size();
  memory_.workspace = DeviceBytes(n_models_ * needs.n_workspace * sizeof(float));
  memory_.copies = DeviceBytes(n_models_ * n_staged * sizeof(float));
  memory_.partials = DeviceBytes(n_models_ * needs.n_partials * sizeof(float));
  memory_.lists = DeviceBytes(n_models_ * needs.n_pointers * sizeof(float*));
  memory_.library_workspace = DeviceBytes(needs.library_workspace_bytes);
  context.workspace = {memory_.workspace.as<float>(), needs.n_workspace};
  context.copies = {memory_.copies.as<float>(), n_staged};
  context.partials = {memory_.partials.as<float>(), needs.n_partials};
  context.pointers = memory_.lists.as<float*>();
  context.library_workspace = memory_.library_workspace.as<void>();
}

// Relaxed, since kernels and libraries are loaded when they are first asked for, which is here.
GraphExec CudaPlan::capture(std::span<const ValueId> operations, const LaunchContext& context) {
  cudaGraph_t made = nullptr;
  check(cudaStreamBeginCapture(device_.stream(), cudaStreamCaptureModeRelaxed),
        "beginning to capture a step");
  try {
    for (const ValueId value : operations) launch(graph_, value, context, *this);
  } catch (...) {
    cudaStreamEndCapture(device_.stream(), &made);
    const CapturedGraph unfinished(made);
    throw;
  }
  check(cudaStreamEndCapture(device_.stream(), &made), "capturing a step");
  const CapturedGraph captured(made);
  std::size_t n_launches = 0;
  check(cudaGraphGetNodes(captured.get(), nullptr, &n_launches), "counting launches");
  n_launches_ += n_launches;
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, captured.get(), 0), "preparing a captured step");
  return GraphExec(exec);
}

const float* CudaPlan::samples(const SampleSource& source) {
  return datasets_.emplace_back(device_.samples(source))->as<float>();
}

const float* CudaPlan::labels(const SampleSource& source) {
  return datasets_.emplace_back(device_.labels(source))->as<float>();
}

void CudaPlan::point(const Graph::SlotView& view, std::uint32_t model, float* memory) {
  float*& place = pointers_[std::size_t{view.node} * n_models_ + model];
  are_pointers_new_ = are_pointers_new_ || place != memory + view.offset;
  place = memory + view.offset;
}

void CudaPlan::point(SlotId slot, std::uint32_t model, float* memory) {
  for (const Graph::SlotView& view : views_[slot.index]) point(view, model, memory);
}

void CudaPlan::bind(SlotId slot, std::uint32_t model, Region memory) {
  LIPIZZ_ASSERT(graph_.slots()[slot.index].access != Slot::Access::kInternal);
  check_size(graph_.slots()[slot.index], memory.size);
  point(slot, model, memory.data);
}

// A turn is written again when the run that read it is over.
std::span<float> CudaPlan::setting(SlotId slot, std::uint32_t model) {
  Turn& turn = turns_[turn_];
  check(cudaEventSynchronize(turn.is_over.get()), "waiting for a run");
  float* of_model = turn.settings->as<float>() + model * n_settings_;
  return {of_model + setting_offsets_[slot.index], graph_.slots()[slot.index].n_elements};
}

void CudaPlan::bind_part(SlotId slot, std::uint32_t model, std::size_t first, Region memory) {
  graph_.for_views_in(slot, views_[slot.index], first, memory.size,
                      [&](const Graph::SlotView& view) { point(view, model, memory.data); });
}

void CudaPlan::run() {
  Turn& turn = turns_[turn_];
  check(cudaEventSynchronize(turn.is_over.get()), "waiting for a run");
  copy_arguments(turn);
  run_sections();
  check(cudaEventRecord(turn.is_over.get(), device_.stream()), "marking a run");
  turn_ = (turn_ + 1) % kTurns;
}

void CudaPlan::copy_arguments(Turn& turn) {
  const cudaStream_t stream = device_.stream();
  if (are_pointers_new_) {
    const std::size_t n_bytes = pointers_.size() * sizeof(float*);
    std::memcpy(turn.pointers->as<char>(), pointers_.data(), n_bytes);
    check(cudaMemcpyAsync(memory_.table.as<char>(), turn.pointers->as<char>(), n_bytes,
                          cudaMemcpyHostToDevice, stream),
          "telling a step where its values lie");
    are_pointers_new_ = false;
  }
  if (n_settings_ == 0) return;
  check(cudaMemcpyAsync(memory_.settings.as<char>(), turn.settings->as<char>(),
                        n_models_ * n_settings_ * sizeof(float), cudaMemcpyHostToDevice, stream),
        "telling a step its settings");
}

// Values that are only sent leave when the launches behind them have been asked for.
void CudaPlan::run_sections() {
  StagedOperation* sent = nullptr;
  const auto finish = [this](StagedOperation* operation) {
    if (operation != nullptr) exchange_.finish(*operation, pointers_.data());
  };
  for (auto& [launches, operation] : sections_) {
    if (launches) check(cudaGraphLaunch(launches.get(), device_.stream()), "running a step");
    finish(std::exchange(sent, nullptr));
    if (!operation) continue;
    exchange_.fetch(*operation, pointers_.data());
    if (operation->only_sends()) {
      sent = &*operation;
    } else {
      finish(&*operation);
    }
  }
  finish(sent);
}

}  // namespace lipizz::nn::cuda
