#pragma once

#include <functional>
#include <string>

#include "config/experiment.hpp"
#include "nn/graph/convolution_table.hpp"

namespace lipizz::app {

/// Seconds that a convolution of a graph takes in one of the two ways.
using MeasureConvolution = std::function<double(const nn::Engine&, const nn::Graph&,
                                                nn::ValueId convolution, nn::ConvolutionWay)>;

/// The median of several rounds on memory of its own, on the calling thread.
double seconds_of(const nn::Engine& engine, const nn::Graph& graph, nn::ValueId convolution,
                  nn::ConvolutionWay way);

/// The experiment's table of convolutions, with the faster way for each one of its pair's training
/// steps at its batch size and numerics level (`auto`: the highest of this machine). `tell` is
/// handed a line for each. ConfigError where the engine has one way only.
nn::ConvolutionTable tuned(const config::Experiment& experiment, const MeasureConvolution& measure,
                           const std::function<void(const std::string&)>& tell);

}  // namespace lipizz::app
