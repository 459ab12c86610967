#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nn/cuda/api.hpp"
#include "nn/cuda/device.hpp"
#include "nn/cuda/exchange.hpp"
#include "nn/cuda/launch.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::nn::cuda {

/// A graph as captured CUDA graphs over all models: one, unless operations are left to the host on
/// the way. Values that are only sent leave while the device goes on; otherwise it waits.
///
/// Kernels find their values in a table of pointers on the device, so that other memory can be
/// bound without another capture. The arguments of a run, the table where it has changed and the
/// settings, are copied before it from pinned memory, in turns, so that the host may be several
/// runs ahead.
class CudaPlan final : public DevicePlan, private DatasetCache {
 public:
  CudaPlan(CudaDevice& device, const Graph& described, std::uint32_t n_models, Exactness exactness);
  ~CudaPlan() override;

  void bind(SlotId slot, std::uint32_t model, Region memory) override;
  void bind_part(SlotId slot, std::uint32_t model, std::size_t first, Region memory) override;
  std::span<float> setting(SlotId slot, std::uint32_t model) override;
  void run() override;
  [[nodiscard]] std::size_t n_launches() const override { return n_launches_; }

 private:
  static constexpr std::size_t kTurns = 16;
  struct Turn {
    Event is_over = make_event();
    std::unique_ptr<PinnedBytes> pointers;
    std::unique_ptr<PinnedBytes> settings;
  };

  struct Memory {
    DeviceBytes table;     // of pointers to values [node, model]
    DeviceBytes own;       // values that are not bound
    DeviceBytes settings;  // [model, n_settings]
    DeviceBytes workspace, copies, partials, lists, library_workspace;
  };

  // Launches that follow one another, and what is left to the host behind them.
  struct Section {
    GraphExec launches;                        // null: there are none
    std::optional<StagedOperation> operation;  // none behind the last ones
  };

  void give_own_memory(std::size_t n_results, const std::vector<std::size_t>& offsets);
  void give_workspaces(LaunchContext& context);
  void cut(Exactness exactness);
  [[nodiscard]] GraphExec capture(std::span<const ValueId> operations,
                                  const LaunchContext& context);
  void copy_arguments(Turn& turn);
  void run_sections();
  const float* samples(const SampleSource& source) override;
  const float* labels(const SampleSource& source) override;
  void point(SlotId slot, std::uint32_t model, float* memory);
  void point(const Graph::SlotView& view, std::uint32_t model, float* memory);

  CudaDevice& device_;
  const Graph graph_;
  std::uint32_t n_models_;
  std::vector<std::vector<Graph::SlotView>> views_;
  std::vector<std::size_t> setting_offsets_;  // per slot: where its settings begin, of a model
  std::size_t n_settings_ = 0;                // of a model
  std::vector<float*> pointers_;              // [node, model], as they are to be
  bool are_pointers_new_ = true;
  Memory memory_;
  std::vector<std::shared_ptr<DeviceBytes>> datasets_;  // that the captured graph reads
  std::vector<Turn> turns_;
  std::size_t turn_ = 0;
  Exchange exchange_;
  std::vector<Section> sections_;
  std::size_t n_launches_ = 0;
};

}  // namespace lipizz::nn::cuda
