#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"

namespace lipizz {

/// What a random number is for. Part of its key, so that no two uses ever share numbers; append
/// only, since the values are part of a run's result.
enum class Purpose : std::uint8_t {
  kGeneratorInit = 0,
  kDiscriminatorInit,
  kDataset,
  kShuffle,
  kFitnessSample,
  kFitnessNoise,
  kGeneratorNoise,
  kDiscriminatorNoise,
  kGeneratorOpponent,
  kDiscriminatorOpponent,
  kTournament,
  kGeneratorRate,
  kDiscriminatorRate,
  kLossMutation,
  kMixtureStep,
  kMixtureNoise,
  kMixtureChoice,
  kScoreNoise,
  kScoreChoice,
  kClassifierInit,
  kClassifierShuffle,
  kGeneratorUniforms,
  kDiscriminatorUniforms,
  kTest = 255,
};

/// Random numbers without state: each is a pure function of (seed, cell, generation, purpose,
/// sample index, position), so a result does not depend on who draws first, on ranks, threads or
/// resumes.
///
/// Philox-4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11): the seed
/// is the key, everything else the counter. A sample index is global (its place in the whole
/// generation's stream), never a place in somebody's batch.
class Random {
 public:
  /// `cell` and `generation` are zero where they have no meaning. Cells below 2^24.
  Random(std::uint64_t seed, Purpose purpose, CellId cell = {}, Generation generation = 0);

  using Block = std::array<std::uint32_t, 4>;
  /// Four independent words for (sample, position).
  [[nodiscard]] Block block(std::uint32_t sample, std::uint32_t position = 0) const;

  /// Uniform in [0, 1), 24 bits.
  [[nodiscard]] float uniform(std::uint32_t sample, std::uint32_t position = 0) const;

  /// Uniform in [0, n), n >= 1, by multiplication (bias below n / 2^64).
  [[nodiscard]] std::uint32_t below(std::uint32_t n, std::uint32_t sample,
                                    std::uint32_t position = 0) const;

  /// One standard normal number.
  [[nodiscard]] float normal(std::uint32_t sample, std::uint32_t position = 0) const;

  /// Standard normals for `n_samples` consecutive samples from `first_sample`.
  /// out: [n_samples, width] row-major. The numbers of a sample do not depend on `width` beyond
  /// their count, nor on how samples are cut into calls.
  void normals(std::uint32_t first_sample, std::uint32_t n_samples, std::uint32_t width,
               std::span<float> out) const;

  /// Uniform numbers in [0, 1) of one sample, 24 bits; four of a block.
  void uniforms(std::uint32_t sample, std::span<float> out) const;

  /// A uniformly random order of 0..n-1 (Fisher-Yates over below()).
  [[nodiscard]] std::vector<std::uint32_t> permutation(std::uint32_t n) const;

 private:
  std::uint32_t key_[2];
  std::uint32_t generation_;
  std::uint32_t cell_and_purpose_;
};

}  // namespace lipizz
