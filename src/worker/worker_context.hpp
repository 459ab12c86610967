#pragma once

#include <memory>
#include <string>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "core/ids.hpp"
#include "nn/base/engine.hpp"
#include "nn/exec/device.hpp"
#include "nn/graph/convolution_table.hpp"

namespace lipizz::worker {

/// A worker's experiment and the device that it computes with, as the master's run plan says.
class WorkerContext {
 public:
  /// `data_dir` is this node's. ConfigError when the plan's experiment or table is none.
  WorkerContext(const comm::RunPlan& run_plan, Rank worker, std::string data_dir);
  WorkerContext(const WorkerContext&) = delete;  // the device knows where the table lies
  WorkerContext& operator=(const WorkerContext&) = delete;

  [[nodiscard]] const config::Experiment& experiment() const { return experiment_; }
  /// Opened by the first who asks: the thread that trains, which is prepared for it. ConfigError
  /// when there is no such device.
  [[nodiscard]] nn::Device& device();

 private:
  config::Experiment experiment_;
  std::string device_name_;
  nn::ConvolutionTable convolutions_;
  nn::Engine engine_;
  std::unique_ptr<nn::Device> device_;
};

}  // namespace lipizz::worker
