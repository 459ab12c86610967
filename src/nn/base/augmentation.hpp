#pragma once

#include <cstdint>

namespace lipizz::nn {

/// The augmentation of all images that a discriminator sees, real and generated, each by random
/// numbers of its own (DiffAugment: Zhao et al., "Differentiable augmentation for data-efficient
/// GAN training", 2020).
struct Augmentation {
  bool has_color = false;        // brightness +-0.5, saturation x 0 to 2, contrast x 0.5 to 1.5
  bool has_translation = false;  // by up to an eighth in both directions, zeros move in
  bool has_cutout = false;       // a square of half the dimension becomes zero
  bool operator==(const Augmentation&) const = default;

  [[nodiscard]] bool is_any() const { return has_color || has_translation || has_cutout; }
};

/// Uniform random numbers for each image: three of colour, two of place, two of the hole.
inline constexpr std::uint32_t kNAugmentUniforms = 7;

}  // namespace lipizz::nn
