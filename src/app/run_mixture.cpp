#include "app/run_mixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <system_error>

#include "app/run_argument.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "nn/base/precision.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/devices.hpp"
#include "setup/engine.hpp"
#include "setup/resolve.hpp"
#include "setup/samples.hpp"
#include "setup/setting_rules.hpp"
#include "worker/shared_resources.hpp"

namespace lipizz::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> kSettable{
    "engine",   "numerics", "device", "precision", "convolution_table", "convolution_table_hash",
    "data.dir", "data.path"};

void apply_settings(const CommandLine& line, config::Experiment& experiment) {
  for (const std::string& assignment : line.overrides) {
    const std::string path = assignment.substr(0, assignment.find('='));
    if (std::ranges::find(kSettable, path) == kSettable.end()) {
      throw ConfigError(std::string(line.command->words) + ": --set " + shortened(path) +
                        ": the run is what it is; only what computes can be chosen: " +
                        join(std::vector<std::string>(kSettable.begin(), kSettable.end())));
    }
    config::apply_assignment(assignment, experiment);
  }
  for (const CommandLine::Option& option : line.options) {
    if (std::ranges::find(kSettable, option.path) == kSettable.end()) continue;
    config::apply_value(option.path, option.value, option.name, experiment);
  }
}

// A level with the same bits in single precision.
std::string numerics_in_f32(const std::string& numerics) {
  if (numerics == "auto") return numerics;
  return std::string(to_string(nn::without_bf16(nn::parse_numerics_level(numerics))));
}

config::Experiment experiment_of_mixture(const CommandLine& line, const fs::path& run) {
  config::Experiment experiment = experiment_of_run(run);
  experiment.compute.device = "cpu";
  experiment.compute.precision = "f32";
  experiment.compute.threads_per_worker = 1;
  experiment.compute.ranks_per_cell = 1;
  experiment.compute.pipeline = {};
  const std::string of_run = experiment.compute.numerics;
  apply_settings(line, experiment);
  if (experiment.compute.precision == "f32" && experiment.compute.numerics == of_run) {
    experiment.compute.numerics = numerics_in_f32(of_run);
  }
  setup::check_numerics(experiment.compute);
  if (const char* const dir = std::getenv("LIPIZZ_DATA_DIR");
      experiment.data.dir.empty() && dir != nullptr) {
    config::apply_value("data.dir", dir, "LIPIZZ_DATA_DIR", experiment);
  }
  experiment = setup::resolved(std::move(experiment));
  if (experiment.compute.numerics == "auto") {
    experiment.compute.numerics = setup::numerics_levels(experiment).back();
  }
  return experiment;
}

bool is_mixture(const fs::path& folder) {
  std::error_code none;
  return fs::exists(folder / "mixture.json", none);
}

fs::path mixture_folder(const std::string& command, const fs::path& run, bool is_best) {
  const fs::path final = run / "mixture";
  const fs::path best = run / "mixture-best";
  const fs::path& asked = is_best ? best : final;
  if (is_mixture(asked)) return asked;
  std::string hint = "nor has it a mixture-best/ yet; let it train on";
  if (is_best) {
    hint = is_mixture(final) ? "leave --best out for the final one, mixture/"
                             : "let it train until a generation is scored";
  } else if (is_mixture(best)) {
    hint = "--best takes the best mixture so far, mixture-best/";
  }
  throw ConfigError(fmt::format("{} {}: expected {}/, which a run writes {}; found none; {}",
                                command, run.string(), asked.filename().string(),
                                is_best ? "when its best score improves" : "when it has finished",
                                hint));
}

std::unique_ptr<nn::Device> open(const config::Experiment& experiment,
                                 const nn::ConvolutionTable& convolutions) {
  const config::Compute& compute = experiment.compute;
  const nn::Engine engine = setup::engine_of(experiment, compute.numerics, convolutions);
  nn::check_bf16(engine);  // what is advised below is another numerics level
  try {
    nn::fix_numerics(engine);
  } catch (const ConfigError& error) {
    const std::string other = nn::is_available(engine.backend)
                                  ? "numerics=" + setup::numerics_levels(experiment).back()
                                  : "engine=reference --set numerics=baseline";
    throw ConfigError(std::string(error.what()) +
                      "; the run was computed with these, and samples of other last bits are made "
                      "with --set " +
                      other);
  }
  nn::prepare_compute_thread();
  return nn::open_device(compute.device, engine, nn::parse_precision(compute.precision));
}

}  // namespace

RunMixture::RunMixture(const CommandLine& line, const fs::path& run, bool is_best)
    : run_(run_folder(line.command->words, run)),
      experiment_(experiment_of_mixture(line, run_)),
      mixture_(worker::read_mixture(mixture_folder(line.command->words, run_, is_best))),
      convolutions_(setup::convolutions_of(experiment_)) {}

const data::Dataset& RunMixture::dataset() {
  if (!dataset_) {
    data::OpenOptions options = setup::open_options(experiment_);
    options.cache = worker::cache_folders(run_);
    dataset_ = data::open_dataset(experiment_.data.dataset, options);
    setup::expect_form(experiment_, *dataset_);
  }
  return *dataset_;
}

nn::Device& RunMixture::device() {
  if (!device_) device_ = open(experiment_, convolutions_);
  return *device_;
}

worker::SavedMixtureSampler& RunMixture::sampler() {
  if (!sampler_) {
    sampler_.emplace(device(), mixture_, is_of_pairs() ? &dataset() : nullptr);
  }
  return *sampler_;
}

}  // namespace lipizz::app
