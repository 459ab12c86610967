#pragma once

#include <bit>
#include <cstdint>

#include "core/philox.hpp"

/// How a step is told what to draw: whole numbers whose bits lie in memory of floats. In memory of
/// doubles, which holds them all, they lie as numbers.
namespace lipizz::nn {

constexpr std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
constexpr std::uint32_t bits_of(double number) {
  return static_cast<std::uint32_t>(number);
}
constexpr float float_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

/// A stream of random numbers and the sample to begin with.
struct Draw {
  static constexpr std::uint32_t kSize = 5;  // floats
  philox::Stream stream{};
  std::uint32_t first = 0;

  constexpr void write(float* to) const {
    to[0] = float_of(stream.key[0]);
    to[1] = float_of(stream.key[1]);
    to[2] = float_of(stream.generation);
    to[3] = float_of(stream.cell_and_purpose);
    to[4] = float_of(first);
  }
  template <class T>
  static constexpr Draw read(const T* from) {
    return {{{bits_of(from[0]), bits_of(from[1])}, bits_of(from[2]), bits_of(from[3])},
            bits_of(from[4])};
  }
};

}  // namespace lipizz::nn
