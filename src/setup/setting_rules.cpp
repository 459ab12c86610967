#include "setup/setting_rules.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "config/checkpoint_interval.hpp"
#include "config/fields.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/exec/devices.hpp"
#include "setup/registries.hpp"

namespace lipizz::setup {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

void check_folder_name(const std::string& name) {
  const bool is_plain = std::ranges::all_of(
      name, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; });
  if (is_plain && !name.empty() && is_letter_or_digit(name.front())) return;
  throw ConfigError(
      "name: expected letters, digits, '.', '_' and '-', starting with a letter or "
      "digit, since it names a folder; found \"" +
      shortened(name) + "\"");
}

// `cuda:1` is the second device of kind `cuda`.
std::string kind_of_device(const std::string& device) {
  return nn::cuda_index(device) ? "cuda" : device;
}

std::vector<std::string> allowed_names(const config::Field& field) {
  std::vector<std::string> allowed = field.names;
  if (field.kind.empty()) return allowed;
  for (const Entry& entry : find_registry(field.kind).entries()) allowed.push_back(entry.name);
  return allowed;
}

std::vector<std::string> names_in(const config::Field& field) {
  if (const auto* text = std::get_if<std::string*>(&field.value)) {
    return {field.kind == "devices" ? kind_of_device(**text) : **text};
  }
  if (const auto* list = std::get_if<std::vector<std::string>*>(&field.value)) return **list;
  if (auto* const* chosen = std::get_if<config::Operator*>(&field.value)) return {(*chosen)->kind};
  std::vector<std::string> used;
  if (auto* const* model = std::get_if<config::Model*>(&field.value)) {
    if (!(*model)->is_written_out()) used.push_back((*model)->name);
  }
  if (const auto* schedule = std::get_if<std::vector<config::NeighbourhoodFrom>*>(&field.value)) {
    for (const config::NeighbourhoodFrom& entry : **schedule) used.push_back(entry.neighbourhood);
  }
  return used;
}

void check_names(const config::Field& field) {
  if (field.names.empty() && field.kind.empty()) return;
  const std::vector<std::string> allowed = allowed_names(field);
  for (const std::string& name : names_in(field)) {
    if (std::ranges::find(allowed, name) != allowed.end()) continue;
    throw ConfigError(field.path + ": there is no \"" + shortened(name) + "\"" +
                      suggestion(name, allowed));
  }
}

void check_schedule(const std::vector<config::NeighbourhoodFrom>& schedule) {
  if (schedule.empty() || schedule.front().generation != 0) {
    throw ConfigError("neighbourhood: the list must start with a neighbourhood from generation 0");
  }
  for (std::size_t i = 1; i < schedule.size(); ++i) {
    if (schedule[i].generation > schedule[i - 1].generation) continue;
    throw ConfigError("neighbourhood: generations must go forward, but " +
                      std::to_string(schedule[i].generation) + " stands after " +
                      std::to_string(schedule[i - 1].generation));
  }
}

void check_data(const config::Experiment& experiment) {
  const config::Data& data = experiment.data;
  for (const char* network : {"generator", "discriminator"}) {
    const auto [setting, n] = config::micro_batches_of(experiment, network);
    if (n <= data.batch_size) continue;
    throw ConfigError(setting + ": expected at most data.batch_size, which is " +
                      std::to_string(data.batch_size) + "; found " + std::to_string(n));
  }
  if (data.max_samples == 0 || data.max_samples >= data.batch_size) return;
  throw ConfigError("data.max_samples: expected 0 or at least data.batch_size, which is " +
                    std::to_string(data.batch_size) + "; found " +
                    std::to_string(data.max_samples));
}

// Threads are of processors; the ranks of a cell compute with what is alike.
void check_device(const config::Experiment& experiment, const std::string& setting, std::uint64_t n,
                  std::initializer_list<std::string_view> refused) {
  const std::string& device = experiment.compute.device;
  if (n == 1 || std::ranges::find(refused, kind_of_device(device)) == refused.end()) return;
  throw ConfigError(setting + ": expected 1 with device " + device + "; found " +
                    std::to_string(n));
}

// More than there are micro-batches would have nothing to do.
void check_number(const config::Experiment& experiment, const std::string& setting,
                  std::uint64_t n) {
  const config::MicroBatches fewest = config::fewest_micro_batches(experiment);
  if (n <= fewest.n) return;
  throw ConfigError(setting + ": expected at most " + fewest.setting + ", which is " +
                    std::to_string(fewest.n) + "; found " + std::to_string(n));
}

// Each stage has a layer of a network at least.
void check_cuts(const config::Experiment& experiment) {
  const std::uint32_t n_stages = experiment.compute.pipeline.stages;
  const std::uint32_t g = experiment.generator.stages;
  const std::uint32_t d = experiment.discriminator.stages;
  if (g == 0 || d == 0 || g + d >= n_stages) return;
  throw ConfigError("generator.stages and discriminator.stages: expected " +
                    std::to_string(n_stages) + " together at least, the pipeline.stages; found " +
                    std::to_string(g) + " and " + std::to_string(d));
}

// The ranks of a cell are so many pipelines.
void check_pipeline(const config::Experiment& experiment) {
  const config::Compute& compute = experiment.compute;
  const std::uint32_t n_stages = compute.pipeline.stages;
  check_cuts(experiment);
  if (n_stages == 1) return;
  const auto expect = [n_stages](bool holds, const std::string& expected, std::uint64_t found) {
    if (holds) return;
    throw ConfigError("pipeline.stages: " + std::to_string(n_stages) + " stages ask for " +
                      expected + ", found " + std::to_string(found));
  };
  expect(compute.ranks_per_cell % n_stages == 0, "a multiple of them as ranks_per_cell",
         compute.ranks_per_cell);
  expect(compute.threads_per_worker == 1, "threads_per_worker 1", compute.threads_per_worker);
  if (!experiment.data.sync_batch_norm) return;
  throw ConfigError(
      "pipeline.stages: batch norm is not synchronised in a pipeline; use data.sync_batch_norm "
      "false, or 1 stage");
}

void check_threads(const config::Experiment& experiment) {
  const auto& [n_threads, n_ranks] = std::pair<std::uint64_t, std::uint64_t>(
      experiment.compute.threads_per_worker, experiment.compute.ranks_per_cell);
  const std::uint64_t n_stages = experiment.compute.pipeline.stages;
  check_device(experiment, "threads_per_worker", n_threads, {"auto", "cuda", "check", "cuda+cpu"});
  check_device(experiment, "ranks_per_cell", n_ranks, {"check", "cuda+cpu"});
  check_number(experiment, "threads_per_worker", n_threads);
  check_pipeline(experiment);
  check_number(experiment, n_stages > 1 ? "ranks_per_cell by pipeline.stages" : "ranks_per_cell",
               n_ranks / n_stages);
  if (n_threads > 1 && experiment.data.sync_batch_norm) {
    throw ConfigError("data.sync_batch_norm: expected threads_per_worker 1, found " +
                      std::to_string(n_threads) +
                      "; ranks_per_cell computes micro-batches at the same time, too");
  }
  check_number(experiment, "threads_per_worker times ranks_per_cell",
               n_threads * (n_ranks / n_stages));
}

void check_times(const config::Comm& comm) {
  if (comm.heartbeat_s < comm.late_after_s && comm.late_after_s < comm.dead_after_s) return;
  throw ConfigError("comm: expected heartbeat_s < late_after_s < dead_after_s, found " +
                    number_text(comm.heartbeat_s) + ", " + number_text(comm.late_after_s) + ", " +
                    number_text(comm.dead_after_s));
}

void check_loss_scale(const config::Experiment& experiment, const std::string& network) {
  const config::MixedPrecision& mixed = config::training_of(experiment, network).mixed_precision;
  int exponent = 0;
  if (mixed.loss_scale == 0) return;
  if (mixed.format != "fp16") {
    throw ConfigError(network + ".loss_scale: losses are scaled with mixed_precision fp16 alone");
  }
  if (mixed.loss_scale >= 1 && std::frexp(mixed.loss_scale, &exponent) == 0.5) return;
  throw ConfigError(network + ".loss_scale: expected 0 or a power of two from 1 on, found " +
                    number_text(mixed.loss_scale));
}

// Gradients and parameters are shared out in the same order everywhere, by single elements.
void check_zero(const config::Experiment& experiment, const std::string& network) {
  const config::Training& training = config::training_of(experiment, network);
  const config::Compute& compute = experiment.compute;
  const std::uint32_t stages = compute.pipeline.stages;
  const std::uint32_t n_replicas = compute.ranks_per_cell / stages;
  if (training.zero < 2 || n_replicas <= 1) return;
  const auto expect = [&](bool holds, const std::string& expected) {
    if (holds) return;
    throw ConfigError(network + ".zero: " + std::to_string(training.zero) + " asks for " +
                      expected + "; 1 does without");
  };
  expect(compute.threads_per_worker == 1, "threads_per_worker 1");
  // With parameters the opponent's, too, whose steps go through this network.
  for (const std::string trained : {"generator", "discriminator"}) {
    if (trained != network && training.zero < 3) continue;
    const auto [setting, n] = config::micro_batches_of(experiment, trained);
    expect(n % n_replicas == 0,
           "a multiple of " +
               (stages == 1
                    ? "ranks_per_cell, which is " + std::to_string(n_replicas)
                    : "ranks_per_cell / pipeline.stages, which is " + std::to_string(n_replicas)) +
               ", as " + setting + ", found " + std::to_string(n));
    expect(stages == 1 || experiment.data.batch_size % n == 0,
           "a data.batch_size that is a multiple of " + setting +
               " with pipeline.stages above 1, found " +
               std::to_string(experiment.data.batch_size) + " in " + std::to_string(n));
  }
  expect(!nn::entry(nn::find_optimizer(training.optimizer)).is_layerwise,
         "an optimizer that does not look at whole tensors, found " + training.optimizer);
}

// The host makes the updates of what GPUs alone train, with the same bits but where whole tensors
// are looked at.
void check_offload(const config::Experiment& experiment, const std::string& network) {
  const config::Training& training = config::training_of(experiment, network);
  if (training.offload != "host") return;
  const auto expect = [&](bool holds, const std::string& expected, const std::string& found) {
    if (holds) return;
    throw ConfigError(network + ".offload: host asks for " + expected + ", found " + found);
  };
  const std::string& device = experiment.compute.device;
  expect(device != "check" && device != "cuda+cpu", "device cuda, auto or cpu", device);
  expect(!nn::entry(nn::find_optimizer(training.optimizer)).is_layerwise,
         "an optimizer that does not look at whole tensors", training.optimizer);
}

// Every cell ends with the same generation, and goes back to it where it is beyond.
void check_stop(const config::Experiment& experiment) {
  if (experiment.stop.patience == 0 || !config::is_asynchronous(experiment)) return;
  throw ConfigError(
      "stop.patience: cells of an asynchronous exchange are in no generation together; use "
      "exchange.mode \"sync\", or patience 0");
}

}  // namespace

void check_numerics(const config::Compute& compute) {
  const bool is_named = compute.numerics != "auto";
  const bool has_level = is_named && nn::has_bf16(nn::parse_numerics_level(compute.numerics));
  const bool is_bf16 = compute.device == "cpu" && compute.precision == "bf16";
  if (is_bf16 && compute.engine == "reference") {
    throw ConfigError("precision: bf16 needs engine onednn, found reference");
  }
  if (is_bf16 && is_named && !has_level) {
    throw ConfigError("precision: bf16 needs numerics avx512_bf16 or amx, found " +
                      compute.numerics);
  }
  if (is_bf16 || !has_level) return;
  throw ConfigError("numerics: " + compute.numerics +
                    " is for precision bf16 on processors (device cpu); use avx512 or auto");
}

void check_settings(const config::Experiment& experiment) {
  config::Experiment copy = experiment;
  for (const config::Field& field : config::fields(copy)) check_names(field);
  check_folder_name(experiment.name);
  check_schedule(experiment.grid.neighbourhood);
  check_threads(experiment);
  check_numerics(experiment.compute);
  check_data(experiment);
  for (const auto check : {check_loss_scale, check_zero, check_offload}) {
    for (const char* network : {"generator", "discriminator"}) check(experiment, network);
  }
  check_times(experiment.comm);
  check_stop(experiment);
  static_cast<void>(config::checkpoint_interval(experiment.outputs.checkpoint));
}

}  // namespace lipizz::setup
