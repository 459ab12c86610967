#include "worker/worker_context.hpp"

#include <cstddef>
#include <utility>

#include "config/json.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/devices.hpp"
#include "setup/engine.hpp"
#include "setup/settings.hpp"

namespace lipizz::worker {
namespace {

config::Experiment experiment_of(const comm::RunPlan& run_plan, std::string data_dir) {
  config::Experiment experiment;
  config::apply_json(run_plan.experiment, "the master's configuration", experiment);
  experiment.data.dir = std::move(data_dir);
  return experiment;
}

nn::ConvolutionTable convolutions_of(const comm::RunPlan& run_plan) {
  const std::string& table = run_plan.convolution_table;
  if (table.empty()) return nn::ConvolutionTable::committed();
  return nn::ConvolutionTable::parse(table, "the master's table of convolutions");
}

}  // namespace

WorkerContext::WorkerContext(const comm::RunPlan& run_plan, Rank worker, std::string data_dir)
    : experiment_(experiment_of(run_plan, std::move(data_dir))),
      device_name_(run_plan.devices.at(static_cast<std::size_t>(worker.value))),
      convolutions_(convolutions_of(run_plan)),
      engine_(setup::engine_of(experiment_, run_plan.numerics, convolutions_)) {
  setup::check_offload(experiment_);
  if (run_plan.ranks_per_cell == 1) return;
  engine_.collectives = &collectives_;
  const nn::PipelineSpec pipeline = setup::pipeline_of(experiment_);
  if (pipeline.n_stages > 1) {
    engine_.pipeline = &pipeline_.emplace(cell_, pipeline).pipeline();
  }
}

void WorkerContext::join_cell(std::vector<Rank> ranks, Rank self, std::uint32_t incarnation) {
  cell_.begin(std::move(ranks), self, incarnation);
  collectives_.forget_expected();
  if (pipeline_) pipeline_->forget_expected();
}

nn::Device& WorkerContext::device() {
  if (!device_) {
    nn::fix_numerics(engine_);
    nn::prepare_compute_thread();
    device_ =
        nn::open_device(device_name_, engine_, nn::parse_precision(experiment_.compute.precision));
  }
  return *device_;
}

}  // namespace lipizz::worker
