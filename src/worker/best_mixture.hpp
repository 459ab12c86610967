#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "coev/island.hpp"

namespace lipizz::worker {

/// Samples that are kept of each generator of a mixture, to compare with elsewhere.
inline constexpr std::uint32_t kMixtureExamples = 8;

/// A cell's mixture as it was at the end of a generation, with its generators.
struct KeptMixture {
  CellId cell;
  Generation generation = 0;
  double score = 0;
  std::vector<coev::Island::MixtureMember> members;
  coev::MixtureExamples examples;
};

/// The best mixture that a worker's cells have had, kept until the master knows whether it is the
/// best of all: cells are some generations ahead of what all have told. So it is two of them, the
/// best of the generations that all cells have told of, and the best beyond these. The training
/// thread uses it.
class BestMixture {
 public:
  /// Bytes that it takes at most.
  static std::size_t bytes(std::size_t generator_bytes, std::size_t sample_size,
                           std::size_t n_members);

  /// To be called after each evaluation, before the next generation: keeps the mixture when it is
  /// better than all before.
  void keep_if_better(coev::Island& island, const coev::CellReport& report);
  /// All cells have told of the generations up to this one.
  void settle(Generation told);
  /// All cells go on from the end of this generation: later ones will come again.
  void go_back(Generation generation);

  /// Nothing where it is not kept.
  [[nodiscard]] const KeptMixture* find(CellId cell, Generation generation) const;

 private:
  std::deque<std::unique_ptr<const KeptMixture>> kept_;  // each better than the one before
  Generation told_ = 0;
};

}  // namespace lipizz::worker
