#include "setup/engine.hpp"

#include "core/error.hpp"
#include "core/hash.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::setup {

nn::Engine engine_of(const config::Experiment& experiment, std::string_view numerics,
                     const nn::ConvolutionTable& convolutions) {
  const config::Compute& compute = experiment.compute;
  const bool is_cpu = compute.device == "cpu";
  const nn::Precision precision =
      is_cpu ? nn::parse_precision(compute.precision) : nn::Precision::kF32;
  const nn::NumericsLevel level = nn::parse_numerics_level(numerics);
  return {nn::parse_backend(compute.engine),
          precision == nn::Precision::kBf16 ? level : nn::without_bf16(level), &convolutions,
          precision, compute.threads_per_worker};
}

nn::PipelineSpec pipeline_of(const config::Experiment& experiment) {
  const config::Pipeline& pipeline = experiment.compute.pipeline;
  return {pipeline.stages,
          pipeline.schedule == "gpipe" ? nn::PipelineSchedule::kGpipe : nn::PipelineSchedule::k1F1B,
          pipeline.balance == "memory" ? nn::PipelineBalance::kMemory : nn::PipelineBalance::kTime,
          {experiment.generator.stages, experiment.discriminator.stages}};
}

nn::ConvolutionTable convolutions_of(const config::Experiment& experiment) {
  const std::string& file = experiment.compute.convolution_table;
  nn::ConvolutionTable table =
      file.empty() ? nn::ConvolutionTable::committed() : nn::ConvolutionTable::read(file);
  const std::string hash = to_hex(table.hash());
  const std::string& wanted = experiment.compute.convolution_table_hash;
  if (!wanted.empty() && wanted != hash) {
    throw ConfigError("convolution_table: expected the table with hash " + wanted + ", found " +
                      (file.empty() ? "this build's own" : file) + " with " + hash +
                      "; name the file of the one that was used");
  }
  return table;
}

std::vector<std::string> numerics_levels(const config::Experiment& experiment) {
  const config::Compute& compute = experiment.compute;
  const bool may_be_cpu = compute.device == "cpu" || compute.device == "auto";
  const nn::NumericsLevel highest =
      nn::highest_level(nn::parse_backend(compute.engine),
                        may_be_cpu ? nn::parse_precision(compute.precision) : nn::Precision::kF32);
  std::vector<std::string> names;
  for (const nn::NumericsLevel level : nn::kNumericsLevels) {
    if (level <= highest) names.emplace_back(to_string(level));
  }
  return names;
}

}  // namespace lipizz::setup
