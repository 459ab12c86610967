#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/philox.hpp"

namespace lipizz {

/// The use of a random number. It is part of the counter, so that no two uses ever share numbers;
/// operators have those of their kind. Append only, since the values are part of a run's result.
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
  kSelection,
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
  kScoreDirections,
  kTestPart,
  kStack,
  kSampleNoise,     // of samples that are made of a finished mixture
  kSampleChoice,    // which of its generators makes one
  kQualityNoise,    // of samples that a fitness by score is taken of
  kDataShare,       // which samples a cell trains on
  kOffspring,       // the seeds of a cell's further offspring
  kDiversityNoise,  // of samples whose diversity is taken
  kTest = 255,
};

/// Random numbers without state: each is a pure function of (seed, cell, generation, purpose,
/// sample index, position), so a result does not depend on who draws first, on ranks, threads or
/// resumes.
///
/// The seed is the key of Philox (core/philox.hpp), everything else the counter. A sample index is
/// global (its place in the whole generation's stream), never a place in somebody's batch.
class Random {
 public:
  /// `cell` and `generation` are zero where they have no meaning. Cells below 2^24.
  Random(std::uint64_t seed, Purpose purpose, CellId cell = {}, Generation generation = 0);

  using Block = philox::Block;
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

  /// Uniform numbers in [0, 1) of one sample, 24 bits, from its `first` on; four of a block.
  void uniforms(std::uint32_t sample, std::span<float> out, std::size_t first = 0) const;

  /// A uniformly random order of 0..n-1 (Fisher-Yates over below()).
  [[nodiscard]] std::vector<std::uint32_t> permutation(std::uint32_t n) const;

  /// Key and counter, for whoever draws these numbers elsewhere.
  [[nodiscard]] const philox::Stream& stream() const { return stream_; }
  explicit Random(const philox::Stream& stream) : stream_(stream) {}

 private:
  philox::Stream stream_;
};

}  // namespace lipizz
