#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coev/settings.hpp"
#include "core/ids.hpp"
#include "data/dataset.hpp"
#include "nn/exec/device.hpp"
#include "nn/exec/inference.hpp"

namespace lipizz::coev {

/// Mean losses of generators against discriminators under one common loss.
struct PairLosses {
  std::size_t n_generators = 0;
  std::size_t n_discriminators = 0;
  std::vector<double> generator;  // [n_generators, n_discriminators], the generator's loss
  std::vector<double> fake;       // the same pairs, the discriminator's loss on generated samples
  std::vector<double> real;       // [n_discriminators], its loss on real samples; empty: not asked
};

/// The losses of one against all its opponents, as one number; NaN when any of them is not finite.
double aggregate(FitnessMode mode, std::span<const double> losses);

/// Fitness, lower is better, of every generator and of every discriminator of a table.
std::vector<double> generator_fitness(const PairLosses& table, FitnessMode mode);
std::vector<double> discriminator_fitness(const PairLosses& table, FitnessMode mode);

/// Whether fitness `a` is strictly better than `b`: what is not finite loses to everything.
bool is_better(double a, double b);

/// Lets networks judge one another on a batch that is the same for everyone in a cell and
/// generation: `n_samples` real samples and one set of noise for all generators, so that fitnesses
/// differ by the networks alone.
///
/// Works in chunks of rows_at_once() through shared buffers; each generator runs once and each
/// discriminator once per table, whatever the number of opponents. Serves all cells of an island.
class FitnessEvaluator {
 public:
  using Networks = std::span<const std::span<const float>>;  // each: parameters [n_padded]

  FitnessEvaluator(nn::Device& device, const Settings& settings, const data::Dataset& dataset);

  /// Chooses the batch: it depends on seed, cell and generation.
  void draw_batch(CellId cell, Generation generation, std::uint32_t n_samples);

  /// All generators against all discriminators, and these on the real samples.
  PairLosses all_pairs(Networks generators, Networks discriminators);
  /// The same without the real samples.
  PairLosses all_pairs_on_fakes(Networks generators, Networks discriminators);

 private:
  using Regions = std::vector<nn::Region>;
  [[nodiscard]] Regions upload(Networks networks);
  PairLosses all_pairs_on_fakes(const Regions& generators, const Regions& discriminators);
  [[nodiscard]] nn::Region fakes_of(std::size_t generator) const;
  [[nodiscard]] double n_judged() const { return static_cast<double>(n_samples_) * n_logits_; }
  [[nodiscard]] std::uint32_t rows_in(std::uint32_t first) const;
  void generate(const Regions& generators, std::uint32_t first, std::uint32_t rows);
  void read_real(std::uint32_t first, std::uint32_t rows);
  std::span<const float> judge(nn::Region discriminator, nn::Region samples, std::uint32_t rows);
  void add_fakes(PairLosses& table, const Regions& discriminators, std::uint32_t first,
                 std::uint32_t rows);
  void add_real(PairLosses& table, const Regions& discriminators, std::uint32_t rows);

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
  CellId cell_;
  Generation generation_ = 0;
  std::uint32_t n_samples_ = 0;
  std::vector<std::uint32_t> indices_;
  nn::HostDeviceBuffer inputs_;  // [chunk, latent]
  nn::HostDeviceBuffer real_;    // [chunk, sample]
  nn::DeviceMemory fakes_;       // [generators, chunk, sample]
  nn::HostDeviceBuffer logits_;  // [chunk, logits of a sample]
};

}  // namespace lipizz::coev
