#pragma once

#include <cstdint>

#include "data/image.hpp"

namespace lipizz::data {

/// How a picture of another shape becomes one of a wanted size.
enum class Fit : std::uint8_t {
  kCrop,     // the largest centred part of the wanted shape is taken, then scaled
  kStretch,  // all of it is scaled, each direction by its own factor
};

/// The picture at a size of `width` x `height`, both at least 1; one that has it already comes back
/// as it is.
///
/// Scaled by a triangle whose width grows with the factor, so that each pixel of the source counts:
/// reading every n-th pixel, as most libraries' "bilinear" does, aliases and moves Frechet
/// distances by whole points (Parmar, Zhang, Zhu: "On Aliased Resizing and Surprising Subtleties in
/// GAN Evaluation", CVPR 2022). In fixed point, along rows and then along columns: the same bits on
/// every machine, and those of ImageOps.fit() and Image.resize() with BILINEAR in Pillow 11 (Pillow
/// 13 begins with the columns of some pictures, which moves some values by 1).
Image fitted(const Image& image, std::uint32_t width, std::uint32_t height, Fit fit);

/// The picture with 1 or 3 channels: grey is copied, colour is weighted by Rec. 601 and rounded
/// (Pillow's convert("L")).
Image with_channels(const Image& image, std::uint32_t channels);

}  // namespace lipizz::data
