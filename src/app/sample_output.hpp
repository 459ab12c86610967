#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "app/generate_request.hpp"
#include "data/dataset.hpp"
#include "data/nearest.hpp"
#include "worker/saved_mixture.hpp"

namespace lipizz::app {

/// Consecutive samples, as the mixture makes them.
struct SamplePart {
  std::span<const float> samples;               // [n, sample size]
  std::span<const data::Label> labels;          // [n]; empty where there are no classes
  std::span<const data::Neighbour> neighbours;  // [n, n_nearest]
};

/// Writes samples as they come. Files appear when all of them are there, and nothing stays behind
/// where it is let go before. CheckpointError when writing fails.
class SampleOutput {
 public:
  virtual ~SampleOutput() = default;

  /// All samples, one part after the other.
  virtual void take(const SamplePart& part) = 0;
  /// Puts everything into its place, and names what is there.
  virtual std::string finish() = 0;
};

/// The output that a completed() request asks for:
///
///   png    a folder of 000000.png ... and, where there are any, labels.npy and nearest.csv
///   npy    of images bytes [N, H, W] or [N, H, W, C], the pixels of the PNG files; of points
///   floats
///          [N, D]; labels and neighbours in NAME-labels.npy and NAME-nearest.csv beside it
///   csv    a line of numbers for each point; the same beside it
///   sheet  one picture of all: near a square, a row for each line between latents, or strips of a
///          sample and its neighbours; of points a scatter plot
///
/// dataset: null unless there are neighbours, or a sheet of points; must outlive it. ConfigError
/// when something is there already, or a sheet would be too large.
std::unique_ptr<SampleOutput> make_output(const GenerateRequest& request,
                                          const worker::MixtureDescription& mixture,
                                          const data::Dataset* dataset);

}  // namespace lipizz::app
