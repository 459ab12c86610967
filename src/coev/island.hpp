#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "coev/cell_state.hpp"
#include "coev/interrupted.hpp"
#include "coev/mixture_sampler.hpp"
#include "coev/report.hpp"
#include "coev/settings.hpp"
#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "data/dataset.hpp"
#include "grid/torus.hpp"
#include "metrics/scorer.hpp"
#include "nn/base/shared_buffer.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::coev {

/// The cells that one worker hosts, evolved together (the slave of Perez et al. 2020; departures:
/// it may host several cells, and hears of their neighbours alone). Knows no communicator:
/// publications come in and go out as bytes, but for those of cells that share the island. Results
/// do not depend on which these are.
///
/// One thread uses an island, prepared with nn::prepare_compute_thread(). For generation 1, 2, ...
/// it receives what every cell needs, evolves, evaluates; a publication of the generation in
/// progress is handed over only after evaluate(). At the end it receives once more and finishes.
///
/// With an asynchronous exchange (Settings::max_staleness) it receives what there is: publications
/// of any generation, or none. A neighbour of whom nothing young enough is held does not take part
/// in sub-population and mixture; once it does again, it enters the mixture as a newcomer.
class Island {
 public:
  /// Makes every hosted cell's seeded start (publication 0). The references must outlive the
  /// island. InternalError when the model does not fit the samples or a batch is larger than the
  /// dataset.
  Island(const Settings& settings, const grid::Torus& torus, std::vector<CellId> hosted,
         const data::Dataset& dataset, metrics::Scorer& scorer, nn::Device& device);
  ~Island();

  /// Bytes that the genomes of so many cells take, and those of one cell's offspring.
  static std::size_t bytes(const Settings& settings, std::size_t n_hosted);
  /// Those of their moments that do not lie in memory, which are not among these.
  static std::size_t offloaded_bytes(const Settings& settings, std::size_t n_hosted);

  /// Goes on from the end of a generation instead of the seeded start. Before anything else: one
  /// state of each hosted cell, in the order of hosted(), all of one generation and of the
  /// settings' networks; InternalError otherwise.
  void resume(std::vector<CellState> states);

  [[nodiscard]] std::span<const CellId> hosted() const;
  /// The neighbours whose publication `generation - 1` a hosted cell needs to evolve `generation`,
  /// in neighbourhood order without the cell. It finishes with those of its last generation.
  [[nodiscard]] std::vector<CellId> needs(CellId cell, Generation generation) const;

  /// The cell's last publication, to be sent to the cells that list it as a neighbour: weights,
  /// rates, losses, and moments too where Operators::migration sends them.
  [[nodiscard]] Bytes publication(CellId cell) const;
  /// Hands a neighbour's publication of the last generation evolved to a hosted cell, also when the
  /// neighbour is hosted here; asynchronously, one of any generation, of which the newest stays.
  /// CommError when the bytes make no sense; InternalError when the cell does not need it, or
  /// before evaluate().
  void receive(CellId cell, CellId neighbour, std::span<const std::byte> publication);
  /// The same of a neighbour that is hosted here, without bytes: its networks are shared.
  void receive_hosted(CellId cell, CellId neighbour);

  /// One generation of every hosted cell: fitness, selection, training, mutation, replacement.
  /// Synchronously, all neighbours must have been received. `on_decided` is called for each cell as
  /// soon as its centre is final, so that its publication can leave while the rest goes on.
  /// `keep_going` is polled between batches; false leaves by throwing Interrupted: cells already
  /// decided are a generation ahead then. NumericError when a cell has nothing finite left.
  void evolve(Generation generation, const std::function<void(CellId)>& on_decided,
              const std::function<bool()>& keep_going);
  /// Mixture and score of every hosted cell for the generation just evolved: its own new generator
  /// with its neighbours' that it evolved against. Not scored when settings say so; call it anyway.
  std::vector<CellReport> evaluate(Generation generation);
  /// After the last generation and with the neighbours' last publications received: the final
  /// mixtures, synchronously all of the same generation, scored with the final number of samples.
  std::vector<CellReport> finish();
  /// Does to the states as finish() does: finds the final mixtures, without their scores.
  void weigh_final();

  /// For who computes a part of a run again. Mixtures are found and scored of these cells alone
  /// from now on; those of the others stay as they are, and no centre depends on them.
  void score_only(std::vector<CellId> cells);
  /// Hosts these of its cells alone from now on (none is possible), and lets the others go. Where
  /// all cells are trained one by one, and after evaluate(); InternalError otherwise, and when it
  /// does not host one of them.
  void narrow(std::span<const CellId> kept);

  /// A hosted cell at the end of the last generation, or at its start. Complete after evaluate().
  [[nodiscard]] const CellState& state(CellId cell) const;

  /// Hash of what the algorithm is (weights, moments, rates, losses, mixture) of a hosted cell.
  [[nodiscard]] std::uint64_t fingerprint(CellId cell) const;

  /// Samples of the cell's current mixture, [n, sample size] in [-1, 1], for pictures: the weights
  /// of the last evaluate() or finish(), and the generators that the cell holds now.
  [[nodiscard]] std::vector<float> sample_mixture(CellId cell, std::uint32_t n);

  /// The generators of the cell's mixture with their weights, for the run's folder.
  struct MixtureMember {
    CellId cell;
    double weight;
    nn::SharedBuffer<float> parameters;  // [n_padded]
  };
  [[nodiscard]] std::vector<MixtureMember> mixture_generators(CellId cell) const;
  /// Samples that each of them makes of the same n inputs.
  [[nodiscard]] MixtureExamples mixture_examples(CellId cell, std::uint32_t n);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lipizz::coev
