#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "coev/settings.hpp"
#include "coev/trainer.hpp"
#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "data/dataset.hpp"
#include "nn/base/collectives.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::coev {

/// A generation's training of some cells, as the first rank of a cell tells it to the others: the
/// offspring, without moments that are in shards, their opponents, and the past networks
/// (docs/protocol.md has the bytes).
Bytes write_training(std::span<const TrainingJob> jobs, const Settings& settings,
                     Generation generation);

/// Hands that to the other ranks, each with its shard of the offspring's moments (nn::own_shard).
/// Collective, as is the next: the first rank calls these, around Trainer::train().
void share_training(nn::Collectives& ranks, const Settings& settings,
                    std::span<const TrainingJob> jobs, Generation generation);
/// Brings the moments back that other ranks have updated.
void gather_moments(nn::Collectives& ranks, const Settings& settings,
                    std::span<const TrainingJob> jobs);

/// Bytes of write_training() for one cell whose sub-population has so many members, nearly.
std::size_t training_bytes(const Settings& settings, std::size_t n_members);
/// Bytes of the moments of both networks that one of so many ranks keeps while it trains, at most.
std::size_t moment_shard_bytes(const Settings& settings, std::uint32_t n_ranks);

/// A training as another rank is told of it: it owns all of that, and space for its shard of the
/// moments.
class ReceivedTraining {
 public:
  /// CommError when networks are of other shapes, or bytes are missing or left.
  ReceivedTraining(std::span<const std::byte> bytes, const Settings& settings,
                   const nn::Collectives& ranks);

  [[nodiscard]] Generation generation() const { return generation_; }
  /// Valid as long as this stays where it is.
  [[nodiscard]] std::vector<TrainingJob> jobs();

 private:
  struct Job {
    CellId cell;
    std::uint32_t number = 0;
    Pair offspring;
    std::vector<Pair> members;  // of the sub-population; parameters alone
    Subpopulation opponents;
    History history;
  };
  Generation generation_ = 0;
  std::vector<Job> jobs_;
};

/// The work of a rank that is not its cell's first: it trains what the first one trains, each its
/// part of the micro-batches, and keeps nothing of it.
class TrainingHelper {
 public:
  /// The references must outlive it; the device has collectives.
  TrainingHelper(nn::Device& device, const Settings& settings, const data::Dataset& dataset);

  /// Trains what the first rank says next, once it does; `on_begin` hears of which generation that
  /// is. Throws as Trainer::train() does, and what the collectives throw.
  void train(const std::function<void(Generation)>& on_begin,
             const std::function<bool()>& keep_going);

 private:
  nn::Device& device_;
  const Settings& settings_;
  const data::Dataset& dataset_;
  std::optional<Trainer> trainer_;  // for as many cells as the last training had
};

}  // namespace lipizz::coev
