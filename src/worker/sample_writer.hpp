#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "checkpoint/held_folder.hpp"
#include "coev/island.hpp"
#include "comm/messages.hpp"
#include "config/experiment.hpp"
#include "data/dataset.hpp"
#include "data/image.hpp"
#include "grid/torus.hpp"
#include "worker/best_mixture.hpp"

namespace lipizz::worker {

/// The pictures and weights that a worker writes into the run's folder.
///
/// A picture of an improved mixture is asked for some time after its generation, when later ones
/// have been trained already; so the samples of a cell's last few improvements are kept.
class SampleWriter {
 public:
  /// Improvements that are kept of each cell.
  static constexpr std::size_t kKeptImprovements = 4;

  /// The references must outlive it; `experiment` has its model resolved, `folder` is the run's.
  SampleWriter(coev::Island& island, const data::Dataset& dataset,
               const config::Experiment& experiment, const checkpoint::HeldFolder& folder);

  /// Bytes that samples take: those of improvements that are kept of each cell, and those that are
  /// being made, of a sheet or of each member of a mixture as examples.
  static std::size_t bytes(const config::Experiment& experiment, std::size_t sample_size,
                           std::size_t n_hosted, std::size_t n_members);

  /// To be called after each evaluation, before the next generation: keeps samples of the mixture
  /// when it is the best that the cell has had.
  void keep_if_improved(const coev::CellReport& report);

  /// Writes samples/best-genNNN.png as the cell's mixture was in that generation. Returns the name
  /// below the run's folder; empty when those samples are no longer kept. CheckpointError.
  std::string write_improved(CellId cell, Generation generation) const;

  /// How the weights of the cell's networks were spread in that generation; nothing where it is no
  /// longer kept, or TensorBoard is not shown them.
  [[nodiscard]] std::vector<comm::TaskDone::Weights> weights_of_improved(
      CellId cell, Generation generation) const;

  /// Samples of a hosted cell for the picture of the whole grid.
  comm::CellSamples samples_for_grid(CellId cell);

  /// Writes the final pictures, given all cells' samples: samples/grid.png, and samples/best.png of
  /// the hosted cell `best`. CheckpointError.
  void write_pictures(CellId best, const std::vector<comm::CellSamples>& all);
  /// Writes samples/best.png alone.
  void write_best(CellId best);
  /// Writes the folder mixture/ (worker/mixture_folder.hpp) of the hosted cell `best`, as it is at
  /// the end of `generation`. CheckpointError.
  void write_mixture(CellId best, Generation generation);
  /// Writes the folder mixture-best/, whole or not at all. Returns its name. CheckpointError.
  std::string write_best_mixture(const KeptMixture& kept) const;

 private:
  struct Kept {
    Generation generation;
    std::vector<float> samples;
    std::vector<comm::TaskDone::Weights> weights;
  };
  struct Improvements {
    double best_score;
    std::deque<Kept> last;
  };

  [[nodiscard]] const Kept* find_kept(CellId cell, Generation generation) const;
  void write_sheet(const std::string& name, std::span<const float> samples) const;
  void write_grid(const std::vector<comm::CellSamples>& all) const;
  void write_picture(const std::string& name, const data::Image& picture) const;
  [[nodiscard]] std::uint32_t n_samples(std::uint32_t rows, std::uint32_t columns) const;

  coev::Island& island_;
  const data::Dataset& dataset_;
  const config::Experiment& experiment_;
  grid::Torus torus_;
  const checkpoint::HeldFolder& folder_;
  std::map<CellId, Improvements> improvements_;
};

}  // namespace lipizz::worker
