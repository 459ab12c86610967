#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::coev {

/// A cell's report of one generation, which becomes its line in metrics.jsonl. The routines are
/// those of Perez et al. 2020; the other members are ours.
struct CellReport {
  CellId cell;
  Generation generation = 0;
  /// The mixture's score, lower is better. NaN when the generation was not scored, or when a sample
  /// was not finite.
  double score = std::numeric_limits<double>::quiet_NaN();
  std::vector<metrics::Score::Detail> score_details;
  std::vector<double> class_shares;
  struct Network {
    double loss = 0;              // fitness of the centre under the common loss
    double rate = 0;              // that the optimizer used last
    std::string objective;        // name of the loss that it trained with last; of generators
    CellId origin;                // the cell whose centre it was trained from
    std::uint32_t n_skipped = 0;  // updates of the offspring that were left out in training, since
                                  // gradients were not finite
    bool is_replaced = false;     // offspring accepted
    bool is_copied = false;  // nothing finite was at hand: it is a copy of the centre of `origin`
  };
  Network generator;
  Network discriminator;
  /// Offspring of either went NaN or infinite in training, or could not be updated at all.
  bool has_diverged = false;
  struct Member {
    CellId cell;
    double weight;
  };
  std::vector<Member> mixture;  // in the order of the neighbourhood, centre first
  struct Age {
    CellId neighbour;
    /// Generations that the copy in use was behind the one that a synchronous exchange brings;
    /// below 0 when the neighbour is ahead. None: it was left out.
    std::optional<std::int64_t> generations;
  };
  std::vector<Age> ages;  // of an asynchronous exchange, in the order of the neighbourhood
  std::vector<std::string> warnings;  // "discriminator loss is 0 ...", "generator went NaN ..."
  struct Routine {
    std::string name;  // train, update_genomes, mutate, evaluate, mixture
    double seconds;    // CPU seconds of the training thread
  };
  std::vector<Routine> profile;
};

}  // namespace lipizz::coev
