#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "data/description.hpp"

namespace lipizz::data {

/// The least and the greatest number that floats of images may be: black and white.
struct ValueRange {
  float low;
  float high;
};

/// `0..1` or `-1..1`. ConfigError.
ValueRange parse_value_range(std::string_view text);

/// Samples that some program has left in files, in the scale of this project's datasets: images as
/// their 8 bits in [-1, 1] (from_pixel()), whatever they are kept as, other samples as they are.
/// Every failure is a DataError naming the file.
class GivenSamples {
 public:
  virtual ~GivenSamples() = default;
  [[nodiscard]] std::uint32_t n() const { return n_; }
  /// Fills `out`, [rows, shape.size()], with the samples from `first` on; first + rows <= n().
  virtual void read(std::uint32_t first, std::span<float> out) const = 0;

 protected:
  explicit GivenSamples(std::uint32_t n) : n_(n) {}

 private:
  std::uint32_t n_;
};

/// Opens samples of this kind and shape, of which nothing is resized:
/// - a folder: its pictures (*.png, *.jpg, *.jpeg, whatever the case) in the order of their names.
///   Each has the shape's size; a coloured one whose three channels are equal counts as grey;
/// - a .npy array: of images N x H x W, or N x H x W x C, of bytes, or of floats, whose range has
/// to
///   be given; others N x D, of D values in any number of dimensions.
/// ConfigError where floats of images come without a range, or a range with what has none.
std::unique_ptr<GivenSamples> open_sample_files(const std::filesystem::path& path, SampleKind kind,
                                                SampleShape shape,
                                                const std::optional<ValueRange>& range);

}  // namespace lipizz::data
