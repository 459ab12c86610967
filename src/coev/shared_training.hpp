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

/// Tells the other ranks of a device's cell of a generation's training, and hands each what it
/// holds (nn::RankParts) of the offspring, their opponents and the past networks (docs/protocol.md
/// has the bytes). Collective, as is the next: the first rank calls these, around Trainer::train().
void share_training(nn::Device& device, const Settings& settings, std::span<const TrainingJob> jobs,
                    Generation generation);
/// Brings back what other ranks have updated and the first one has not.
void gather_training(nn::Device& device, const Settings& settings,
                     std::span<const TrainingJob> jobs);

/// The message of it: all but the values.
Bytes write_training(std::span<const TrainingJob> jobs, Generation generation);

/// Bytes of the values that a rank is handed for one cell whose sub-population has so many members.
std::size_t training_bytes(const Settings& settings, std::size_t n_members,
                           const nn::Collectives& ranks, const nn::Pipeline* pipeline,
                           std::uint32_t rank);

/// Those of them that do not lie in memory (NetworkSettings::moments_in).
std::size_t offloaded_bytes(const Settings& settings, const nn::Collectives& ranks,
                            const nn::Pipeline* pipeline, std::uint32_t rank);

/// A training as another rank is told of it, with what it holds of the networks.
class ReceivedTraining {
 public:
  /// Reads what write_training() wrote. CommError when bytes are missing or left, or make no sense.
  ReceivedTraining(std::span<const std::byte> bytes, const Settings& settings);
  /// Once, before jobs(). Collective, with share_training() at the first rank.
  void take_values(nn::Device& device, const Settings& settings);

  [[nodiscard]] Generation generation() const { return generation_; }
  /// Valid as long as this stays where it is.
  [[nodiscard]] std::vector<TrainingJob> jobs();

 private:
  struct Job {
    CellId cell;
    std::uint32_t number = 0;
    Pair offspring;
    PerRole<std::uint32_t> n_opponents{}, n_past{};
    std::vector<Pair> members;  // of the sub-population; parameters alone
    Subpopulation opponents;
    History history;
  };
  Generation generation_ = 0;
  std::vector<Job> jobs_;
};

/// The work of a rank that is not its cell's first: it trains what the first one trains, other
/// micro-batches or another stage, and keeps nothing of it.
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
