#include "worker/workplace.hpp"

#include <cstddef>
#include <utility>

#include "config/json.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/devices.hpp"
#include "worker/translate.hpp"

namespace lipizz::worker {
namespace {

config::Experiment experiment_of(const comm::Verdict& verdict, std::string data_dir) {
  config::Experiment experiment;
  config::apply_json(verdict.experiment, "the master's configuration", experiment);
  experiment.data.dir = std::move(data_dir);
  return experiment;
}

nn::ConvolutionTable convolutions_of(const comm::Verdict& verdict) {
  const std::string& table = verdict.convolution_table;
  if (table.empty()) return nn::ConvolutionTable::committed();
  return nn::ConvolutionTable::parse(table, "the master's table of convolutions");
}

}  // namespace

Workplace::Workplace(const comm::Verdict& verdict, Rank worker, std::string data_dir)
    : experiment_(experiment_of(verdict, std::move(data_dir))),
      device_name_(verdict.devices.at(static_cast<std::size_t>(worker.value))),
      convolutions_(convolutions_of(verdict)),
      engine_(engine_of(experiment_, verdict.numerics, convolutions_)) {}

nn::Device& Workplace::device() {
  if (!device_) {
    nn::fix_numerics(engine_);
    nn::prepare_compute_thread();
    device_ = nn::open_device(device_name_, engine_, nn::parse_precision(experiment_.precision));
  }
  return *device_;
}

}  // namespace lipizz::worker
