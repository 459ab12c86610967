#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "coev/island.hpp"
#include "comm/messages.hpp"
#include "config/experiment.hpp"
#include "data/dataset.hpp"
#include "grid/torus.hpp"

namespace lipizz::worker {

/// The pictures and weights that a worker writes into the run's folder.
///
/// A picture of an improved mixture is asked for some time after its generation, when later ones
/// have been trained already; so the samples of a cell's last few improvements are kept.
class SampleWriter {
 public:
  /// Improvements that are kept of each cell.
  static constexpr std::size_t kKeptImprovements = 4;

  /// The references must outlive it; `experiment` has its model resolved.
  SampleWriter(coev::Island& island, const data::Dataset& dataset,
               const config::Experiment& experiment, std::filesystem::path output_dir);

  /// Bytes that the samples of improvements take: those that are kept of each cell, and those of
  /// the one that is being made.
  static std::size_t bytes(const config::Experiment& experiment, const data::Dataset& dataset,
                           std::size_t n_hosted);

  /// To be called after each evaluation, before the next generation: keeps samples of the mixture
  /// when it is the best that the cell has had.
  void keep_if_improved(const coev::CellReport& report);

  /// Writes samples/best-genNNN.png as the cell's mixture was in that generation. Returns the name
  /// below the run's folder; empty when those samples are no longer kept. CheckpointError.
  std::string write_improved(CellId cell, Generation generation) const;

  /// Samples of a hosted cell for the picture of the whole grid.
  comm::CellSamples samples_for_grid(CellId cell);

  /// Writes the final files, given all cells' samples: samples/grid.png, and of the hosted cell
  /// `best` samples/best.png, mixture/mixture.json and its generators as
  /// mixture/cell-N.safetensors. CheckpointError.
  void write_final(CellId best, const std::vector<comm::CellSamples>& all);

 private:
  struct Kept {
    Generation generation;
    std::vector<float> samples;
  };
  struct Improvements {
    double best_score;
    std::deque<Kept> last;
  };

  void write_sheet(const std::string& name, std::span<const float> samples) const;
  void write_grid(const std::vector<comm::CellSamples>& all) const;
  void write_mixture(CellId best) const;
  [[nodiscard]] std::uint32_t n_samples(std::uint32_t rows, std::uint32_t columns) const;

  coev::Island& island_;
  const data::Dataset& dataset_;
  const config::Experiment& experiment_;
  grid::Torus torus_;
  std::filesystem::path output_dir_;
  std::map<CellId, Improvements> improvements_;
};

}  // namespace lipizz::worker
