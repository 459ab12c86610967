#pragma once

#include <cstdint>
#include <span>

namespace lipizz::metrics {

/// How near an image is to the one that it should be. Both are [height, width, channels], of any
/// scale whose white is `range` above its black (2 for values from -1 to 1).

/// Mean absolute difference of values, as a share of the range: from 0.
double mean_absolute_error(std::span<const float> a, std::span<const float> b, double range);

/// Peak signal-to-noise ratio in decibels, 10 log10(range^2 / mean squared difference); infinite
/// for equal images.
double peak_signal_to_noise(std::span<const float> a, std::span<const float> b, double range);

/// Structural similarity (Wang, Bovik, Sheikh and Simoncelli 2004, "Image quality assessment"):
///   (2 m_a m_b + C1) (2 s_ab + C2) / ((m_a^2 + m_b^2 + C1) (s_a^2 + s_b^2 + C2))
/// with means, variances and covariance under an 11x11 Gaussian of deviation 1.5, C1 = (0.01
/// range)^2, C2 = (0.03 range)^2, averaged over all places where the window lies within the image
/// and over channels; 1 for equal images. As scikit-image's structural_similarity(gaussian_weights,
/// sigma 1.5, use_sample_covariance off). Images have kSsimWindow pixels in both directions at
/// least.
inline constexpr std::uint32_t kSsimWindow = 11;
struct ImageSize {
  std::uint32_t height;
  std::uint32_t width;
  std::uint32_t channels;
};
double structural_similarity(std::span<const float> a, std::span<const float> b, ImageSize size,
                             double range);

}  // namespace lipizz::metrics
