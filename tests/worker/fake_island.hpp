#pragma once

#include <cstdint>

#include "coev/settings.hpp"

namespace lipizz::coev::fake {

/// tests/worker/fake_island.cpp takes the place of coev::Island in tests of what is around it: a
/// cell's state is a number, a generation hashes it with those of its neighbours, and its score is
/// a function of it. So the numbers depend on every publication having reached the right cell in
/// the right generation, and cost no time.

/// With this seed, cell 1 throws a DataError in generation 2.
inline constexpr std::uint64_t kSeedOfFailure = 1'000'001;
/// With this seed, cell 0 trains generation 2 for ever, until told to stop.
inline constexpr std::uint64_t kSeedOfEndlessTraining = 1'000'002;

/// For a 2-D dataset.
inline Settings small_settings(std::uint64_t seed,
                               std::optional<Generation> max_staleness = std::nullopt) {
  Settings settings;
  settings.max_staleness = max_staleness;
  settings.seed = seed;
  settings.model = nn::make_model("mlp-2d");
  return settings;
}

}  // namespace lipizz::coev::fake
