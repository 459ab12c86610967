#pragma once

#include <cstddef>
#include <cstdint>

namespace lipizz::sweep {

/// A sweep may have so much and no more, since its file may not be trusted.
inline constexpr std::uintmax_t kMostFileBytes = 1U << 20;
inline constexpr std::size_t kMostAxes = 64;
inline constexpr std::size_t kMostValues = 10'000;  // of an axis
inline constexpr std::size_t kMostRuns = 50'000;
inline constexpr std::size_t kMostRungs = 32;

}  // namespace lipizz::sweep
