#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "data/dataset.hpp"
#include "metrics/scorer.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::app {

/// The scorer of a metric, which may be `auto`, for samples of the dataset. Its judge comes with
/// the program, from a cache, which may lie beside the run's folder, or is learned now; that is
/// told on the standard error. dataset and device must outlive the scorer. ConfigError when the
/// metric does not fit.
std::unique_ptr<metrics::Scorer> open_scorer(const std::string& metric,
                                             const data::Dataset& dataset,
                                             const std::filesystem::path& run, nn::Device& device);

}  // namespace lipizz::app
