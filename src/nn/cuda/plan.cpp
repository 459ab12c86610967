#include "nn/cuda/plan.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/check.hpp"
#include "core/error.hpp"
#include "nn/cuda/divisor.hpp"
#include "nn/graph/memory_plan.hpp"

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
      pointers_(graph_.nodes().size() * n_models, nullptr) {
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
  capture(exactness);
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
      if (access == Slot::Access::kInternal) point({i}, model, own + slot_offsets[i]);
      if (access == Slot::Access::kSetting) {
        point({i}, model, memory_.settings.as<float>() + model * n_settings_ + setting_offsets_[i]);
      }
    }
  }
}

void CudaPlan::capture(Exactness exactness) {
  StagedValues staged;
  LaunchContext context{.stream = device_.stream(),
                        .cublas = device_.cublas(),
                        .products = device_.products(exactness),
                        .convolutions = device_.convolutions(exactness),
                        .n_models = n_models_,
                        .values = memory_.table.as<float*>(),
                        .own = pointers_.data(),
                        .staged = &staged};
  LaunchNeeds needs;
  for (const ValueId value : graph_.live_operations()) {
    const LaunchNeeds of_one = measure(graph_, value, context, *this);
    needs.n_workspace = std::max(needs.n_workspace, padded<float>(of_one.n_workspace));
    needs.n_partials = std::max(needs.n_partials, padded<float>(of_one.n_partials));
    needs.n_pointers = std::max(needs.n_pointers, of_one.n_pointers);
    needs.library_workspace_bytes =
        std::max(needs.library_workspace_bytes, of_one.library_workspace_bytes);
  }
  memory_.workspace = DeviceBytes(n_models_ * needs.n_workspace * sizeof(float));
  memory_.copies = DeviceBytes(n_models_ * staged.size() * sizeof(float));
  memory_.partials = DeviceBytes(n_models_ * needs.n_partials * sizeof(float));
  memory_.lists = DeviceBytes(n_models_ * needs.n_pointers * sizeof(float*));
  memory_.library_workspace = DeviceBytes(needs.library_workspace_bytes);
  context.workspace = {memory_.workspace.as<float>(), needs.n_workspace};
  context.copies = {memory_.copies.as<float>(), staged.size()};
  context.partials = {memory_.partials.as<float>(), needs.n_partials};
  context.pointers = memory_.lists.as<float*>();
  context.library_workspace = memory_.library_workspace.as<void>();
  // Relaxed, since kernels and libraries are loaded when they are first asked for, which is here.
  cudaGraph_t made = nullptr;
  check(cudaStreamBeginCapture(device_.stream(), cudaStreamCaptureModeRelaxed),
        "beginning to capture a step");
  try {
    for (const ValueId value : graph_.live_operations()) launch(graph_, value, context, *this);
  } catch (...) {
    cudaStreamEndCapture(device_.stream(), &made);
    const CapturedGraph unfinished(made);
    throw;
  }
  check(cudaStreamEndCapture(device_.stream(), &made), "capturing a step");
  const CapturedGraph captured(made);
  check(cudaGraphGetNodes(captured.get(), nullptr, &n_launches_), "counting launches");
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, captured.get(), 0), "preparing a captured step");
  exec_.reset(exec);
}

const float* CudaPlan::samples(const SampleSource& source) {
  return datasets_.emplace_back(device_.samples(source))->as<float>();
}

const float* CudaPlan::labels(const SampleSource& source) {
  return datasets_.emplace_back(device_.labels(source))->as<float>();
}

void CudaPlan::point(SlotId slot, std::uint32_t model, float* memory) {
  for (const Graph::SlotView& view : views_[slot.index]) {
    float*& place = pointers_[std::size_t{view.node} * n_models_ + model];
    are_pointers_new_ = are_pointers_new_ || place != memory + view.offset;
    place = memory + view.offset;
  }
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

void CudaPlan::run() {
  Turn& turn = turns_[turn_];
  const cudaStream_t stream = device_.stream();
  check(cudaEventSynchronize(turn.is_over.get()), "waiting for a run");
  if (are_pointers_new_) {
    const std::size_t n_bytes = pointers_.size() * sizeof(float*);
    std::memcpy(turn.pointers->as<char>(), pointers_.data(), n_bytes);
    check(cudaMemcpyAsync(memory_.table.as<char>(), turn.pointers->as<char>(), n_bytes,
                          cudaMemcpyHostToDevice, stream),
          "telling a step where its values lie");
    are_pointers_new_ = false;
  }
  if (n_settings_ > 0) {
    check(cudaMemcpyAsync(memory_.settings.as<char>(), turn.settings->as<char>(),
                          n_models_ * n_settings_ * sizeof(float), cudaMemcpyHostToDevice, stream),
          "telling a step its settings");
  }
  check(cudaGraphLaunch(exec_.get(), stream), "running a step");
  check(cudaEventRecord(turn.is_over.get(), stream), "marking a run");
  turn_ = (turn_ + 1) % kTurns;
}

}  // namespace lipizz::nn::cuda
