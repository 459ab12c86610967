#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/pipeline.hpp"
#include "nn/graph/convolution_table.hpp"

namespace lipizz::setup {

/// The engine of a resolved experiment at an agreed numerics level, of those with bf16 only where
/// the processor computes in that; the table must outlive it.
nn::Engine engine_of(const config::Experiment& experiment, std::string_view numerics,
                     const nn::ConvolutionTable& convolutions);

/// The pipelines of its cells' ranks.
nn::PipelineSpec pipeline_of(const config::Experiment& experiment);

/// The experiment's table of convolutions: its file's, or this build's. ConfigError when the file
/// is none, or the table has another hash than the experiment asks for.
nn::ConvolutionTable convolutions_of(const config::Experiment& experiment);

/// The levels that the experiment's engine offers on this machine, lowest first: those with bf16
/// where the processor is, or may be, to compute in it.
std::vector<std::string> numerics_levels(const config::Experiment& experiment);

}  // namespace lipizz::setup
