#pragma once

#include <functional>
#include <string>

#include "config/experiment.hpp"
#include "nn/graph/convolution_table.hpp"

namespace lipizz::app {

/// Seconds that a convolution of a graph takes by one of the algorithms.
using MeasureConvolution = std::function<double(const nn::Engine&, const nn::Graph&,
                                                nn::ValueId convolution, nn::ConvolutionAlgorithm)>;

/// The median of several rounds on memory of its own, on the calling thread, with operands as
/// far away as most are in a run of the whole graph.
double seconds_of(const nn::Engine& engine, const nn::Graph& graph, nn::ValueId convolution,
                  nn::ConvolutionAlgorithm algorithm);

/// The experiment's table of convolutions, with the fastest algorithm for each one of its pair's
/// training steps at its batch size and numerics level (`auto`: the highest of this machine).
/// `tell` is handed a line for each. ConfigError where the engine has one algorithm.
nn::ConvolutionTable tuned(const config::Experiment& experiment, const MeasureConvolution& measure,
                           const std::function<void(const std::string&)>& tell);

}  // namespace lipizz::app
