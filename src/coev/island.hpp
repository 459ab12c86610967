#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coev/settings.hpp"
#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "data/dataset.hpp"
#include "grid/torus.hpp"
#include "metrics/scorer.hpp"
#include "nn/engine.hpp"

namespace lipizz::coev {

/// What a cell tells about one generation; becomes its line in metrics.jsonl.
struct CellReport {
  CellId cell;
  Generation generation = 0;
  double score = 0;  // of the mixture, lower is better
  std::vector<metrics::Score::Detail> score_details;
  std::vector<double> class_shares;
  double generator_loss = 0;      // fitness of the centre under the common loss
  double discriminator_loss = 0;
  double generator_rate = 0;      // the rate that the optimizer used last
  double discriminator_rate = 0;
  std::string generator_objective;  // name of the loss that it trained with
  struct Member {
    CellId cell;
    double weight;
  };
  std::vector<Member> mixture;    // in the order of the neighbourhood, centre first
  CellId generator_origin;        // whose centre the centre descends from, after replacement
  CellId discriminator_origin;
  bool generator_replaced = false;      // offspring accepted
  bool discriminator_replaced = false;
  std::vector<std::string> warnings;    // "discriminator loss is 0 ...", "generator went NaN ..."
  struct Routine {
    std::string name;  // train, update_genomes, mutate, evaluate, mixture
    double seconds;    // CPU seconds of the training thread
  };
  std::vector<Routine> profile;
};

/// The cells that one worker hosts, evolved together. Knows no communicator: publications come in
/// and go out as bytes. Results do not depend on which cells share an island.
class Island {
 public:
  /// Makes every hosted cell's seeded start (publication 0). The references must outlive the island.
  Island(const Settings& settings, const grid::Torus& torus, std::vector<CellId> hosted,
         const data::Dataset& dataset, metrics::Scorer& scorer, const nn::Engine& engine);
  ~Island();

  [[nodiscard]] std::span<const CellId> hosted() const;
  /// The neighbours whose publication `generation - 1` a hosted cell needs to evolve `generation`
  /// (and whose last publication it needs to finish), in neighbourhood order without the cell.
  [[nodiscard]] std::vector<CellId> needs(CellId cell, Generation generation) const;

  /// What the cell published last, to be sent to whoever lists it: weights, rates, losses, and
  /// moments too when selection may copy a neighbour.
  [[nodiscard]] Bytes publication(CellId cell) const;
  /// Hands a neighbour's publication to a hosted cell. CommError when the bytes make no sense.
  void receive(CellId cell, CellId neighbour, std::span<const std::byte> publication);

  /// One generation of every hosted cell: fitness, selection, training, mutation, replacement. All
  /// neighbours must have been received. `on_decided` is called for each cell as soon as its centre
  /// is final, so that its publication can leave while the rest goes on. `keep_going` is polled
  /// between batches; false leaves by throwing Interrupted.
  void evolve(Generation generation, const std::function<void(CellId)>& on_decided,
              const std::function<bool()>& keep_going);
  /// Mixture and score of every hosted cell for the generation just evolved.
  std::vector<CellReport> evaluate(Generation generation);
  /// After the last generation and with the neighbours' last publications received: the final
  /// mixtures, scored with the final number of samples.
  std::vector<CellReport> finish();

  /// Hash of what the algorithm is (weights, moments, rates, losses, mixture) of a hosted cell.
  [[nodiscard]] std::uint64_t fingerprint(CellId cell) const;

  /// Samples of the cell's current mixture, [n, sample size] in [-1, 1], for pictures.
  [[nodiscard]] std::vector<float> sample_mixture(CellId cell, std::uint32_t n);

  /// The generators of the cell's mixture with their weights, for the run's folder.
  struct MixtureMember {
    CellId cell;
    double weight;
    std::span<const float> parameters;
  };
  [[nodiscard]] std::vector<MixtureMember> mixture_generators(CellId cell) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Thrown by evolve() when `keep_going` said no.
struct Interrupted {};

}  // namespace lipizz::coev
