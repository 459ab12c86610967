#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "nn/base/engine.hpp"
#include "nn/exec/device.hpp"
#include "nn/graph/convolution_table.hpp"
#include "parallel/cell_collectives.hpp"
#include "parallel/cell_pipeline.hpp"
#include "worker/cell_link.hpp"

namespace lipizz::worker {

/// A worker's experiment, the device that it computes with, as the master's run plan says, and the
/// way to the ranks that compute with it.
class WorkerContext {
 public:
  /// `data_dir` is this node's. ConfigError when the plan's experiment or table is none, or what is
  /// offloaded cannot be put here.
  WorkerContext(const comm::RunPlan& run_plan, Rank worker, std::string data_dir);
  WorkerContext(const WorkerContext&) = delete;  // the device knows where the table lies
  WorkerContext& operator=(const WorkerContext&) = delete;

  [[nodiscard]] const config::Experiment& experiment() const { return experiment_; }
  /// Opened by the first who asks: the thread that trains, which is prepared for it. ConfigError
  /// when there is no such device.
  [[nodiscard]] nn::Device& device();
  [[nodiscard]] CellLink& cell() { return cell_; }
  /// Training thread, for every incarnation: CellLink::begin(), with nothing expected of before.
  void join_cell(std::vector<Rank> ranks, Rank self, std::uint32_t incarnation);

 private:
  config::Experiment experiment_;
  CellLink cell_;
  parallel::CellCollectives collectives_{cell_};
  std::optional<parallel::CellPipeline> pipeline_;
  std::string device_name_;
  nn::ConvolutionTable convolutions_;
  nn::Engine engine_;
  std::unique_ptr<nn::Device> device_;
};

}  // namespace lipizz::worker
