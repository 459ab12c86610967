#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "app/command_line.hpp"
#include "config/experiment.hpp"
#include "data/dataset.hpp"
#include "nn/exec/device.hpp"
#include "nn/graph/convolution_table.hpp"
#include "worker/saved_mixture_sampler.hpp"

namespace lipizz::app {

/// The mixture that a run has left in its folder, for commands that make samples of it. The folder
/// is only read.
///
/// Networks are computed with the run's own engine and numerics level, so that samples have the
/// same bits on every machine that offers them, and on the processor in single precision, whatever
/// the run was trained with; --device and --set engine, numerics, precision, convolution_table and
/// convolution_table_hash choose otherwise, --data-dir and --data-path say where this machine has
/// the data.
class RunMixture {
 public:
  /// run: as it was typed. is_best: mixture-best/, the best generation so far, in place of
  /// mixture/, which a finished run has. ConfigError beginning with the command's name when there
  /// is no such run or folder, and where this machine or build does not offer what is asked for;
  /// CheckpointError when the files of the mixture are damaged.
  RunMixture(const CommandLine& line, const std::filesystem::path& run, bool is_best);
  RunMixture(const RunMixture&) = delete;  // parts know where others lie
  RunMixture& operator=(const RunMixture&) = delete;

  [[nodiscard]] const std::filesystem::path& run() const { return run_; }  // absolute
  [[nodiscard]] const config::Experiment& experiment() const { return experiment_; }
  [[nodiscard]] const worker::SavedMixture& mixture() const { return mixture_; }
  [[nodiscard]] const worker::MixtureDescription& about() const { return mixture_.about; }
  [[nodiscard]] std::size_t heaviest() const { return mixture_.heaviest(); }
  [[nodiscard]] bool is_of_pairs() const { return about().model.n_condition_channels > 0; }

  /// Opened by the first who asks. DataError, ConfigError.
  const data::Dataset& dataset();
  /// Likewise; computes the networks. For the thread that asks first. ConfigError.
  nn::Device& device();
  /// Likewise; opens the dataset where the mixture translates its images.
  worker::SavedMixtureSampler& sampler();

 private:
  std::filesystem::path run_;
  config::Experiment experiment_;
  worker::SavedMixture mixture_;
  nn::ConvolutionTable convolutions_;
  std::shared_ptr<const data::Dataset> dataset_;
  std::unique_ptr<nn::Device> device_;
  std::optional<worker::SavedMixtureSampler> sampler_;
};

}  // namespace lipizz::app
