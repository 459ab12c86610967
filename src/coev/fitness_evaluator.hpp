#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coev/fitness.hpp"
#include "coev/settings.hpp"
#include "core/ids.hpp"
#include "data/dataset.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/plan_bytes.hpp"
#include "nn/exec/device.hpp"
#include "nn/exec/inference.hpp"

namespace lipizz::coev {

/// Evaluates networks against one another, all pairs (Schmiedlechner et al. 2018), on a batch that
/// is the same for everyone in a cell and generation: `n_samples` real samples and one set of noise
/// for all generators, so that fitnesses differ by the networks alone. Departure: the original
/// draws noise for each pair, and compares individuals under the loss that each trains with.
///
/// Works in chunks of at most rows_at_once() through shared buffers; each generator runs once and
/// each discriminator once per table, whatever the number of opponents. Serves all cells of an
/// island.
class FitnessEvaluator {
 public:
  using Networks = std::span<const std::span<const float>>;  // each: parameters [n_padded]

  FitnessEvaluator(nn::Device& device, const Settings& settings, const data::Dataset& dataset);

  /// Bytes that its programs and buffers take where a neighbourhood has so many members, the cell
  /// itself among them.
  static nn::PlanBytes bytes(const Settings& settings, const nn::Engine& engine,
                             std::size_t n_members);

  /// Chooses the batch: it depends on seed, cell and generation.
  void draw_batch(CellId cell, Generation generation, std::uint32_t n_samples);

  /// All generators against all discriminators, and these on the real samples.
  PairLosses all_pairs(Networks generators, Networks discriminators);
  /// The same without the real samples.
  PairLosses all_pairs_on_fakes(Networks generators, Networks discriminators);

 private:
  struct Batch {
    CellId cell;
    Generation generation = 0;
    std::uint32_t n_samples = 0;
    std::vector<std::uint32_t> indices{};  // of the real samples
  };
  using Regions = std::vector<nn::Region>;
  [[nodiscard]] Regions upload(Networks networks);
  PairLosses all_pairs_on_fakes(const Regions& generators, const Regions& discriminators);
  [[nodiscard]] nn::Region fakes_of(std::size_t generator) const;
  [[nodiscard]] double n_evaluated() const {
    return static_cast<double>(batch_.n_samples) * n_logits_;
  }
  [[nodiscard]] std::uint32_t rows_in(std::uint32_t first) const;
  void generate(const Regions& generators, std::uint32_t first, std::uint32_t rows);
  void read_real(std::uint32_t first, std::uint32_t rows);
  std::span<const float> logits_of(nn::Region discriminator, nn::Region samples,
                                   std::uint32_t rows);
  /// Each discriminator's, [rows * logits of a sample].
  using LogitLists = std::vector<std::vector<float>>;
  LogitLists real_logits(const Regions& discriminators, std::uint32_t first, std::uint32_t rows);
  /// `real`: logits of the real samples, where the loss is relativistic.
  void add_fakes(PairLosses& losses, const Regions& discriminators, const LogitLists& real,
                 std::uint32_t first, std::uint32_t rows);
  void add_real(PairLosses& losses, const Regions& discriminators, std::uint32_t rows);

  nn::Device& device_;
  nn::UploadScope uploads_;
  std::uint64_t seed_;
  const nn::Loss& loss_;
  const data::Dataset& dataset_;
  const nn::GanSpec& model_;
  std::uint32_t chunk_;
  std::uint32_t n_logits_;  // of a sample
  nn::Inference generator_;
  nn::Inference discriminator_;
  Batch batch_;
  nn::HostDeviceBuffer inputs_;  // [chunk, latent]
  nn::HostDeviceBuffer real_;    // [chunk, sample]
  nn::DeviceMemory fakes_;       // [generators, chunk, sample]
  nn::HostDeviceBuffer logits_;  // [chunk, logits of a sample]
};

}  // namespace lipizz::coev
