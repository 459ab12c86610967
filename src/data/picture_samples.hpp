#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/dataset_source.hpp"
#include "data/folder_index.hpp"
#include "data/image.hpp"
#include "data/resize.hpp"
#include "data/test_part.hpp"

namespace lipizz::data {

/// The training and test samples among a folder's pictures: where it has a folder `train` and one
/// of `test` and `val` (or both), those of these; else OwnFiles::test_share of all. Each part is
/// shuffled. DataError when a part has none.
SampleParts parts_of(const FolderIndex& index, double test_share);

/// The number of channels that samples get: OwnFiles::channels, or as any picture has.
std::uint32_t channels_of(const FolderIndex& index, const OwnFiles& own);

/// How a picture becomes a sample: convert() does what the other fields say, which decide every
/// pixel.
struct Conversion {
  SampleShape shape = {};      // of images, of a pair that of each
  Fit fit = Fit::kCrop;        // how they are brought to it
  std::string condition = {};  // the half of a pair that is given; empty: pictures are no pairs
  /// Writes a picture as a sample: out [sample size].
  std::function<void(const Image& picture, std::span<std::uint8_t> out)> convert = {};
};

/// Samples that are pictures, read again whenever they are asked for.
class PictureSamples final : public SampleFiles {
 public:
  /// `labels`: of the pictures of the index; empty where there are no classes.
  PictureSamples(FolderIndex index, SampleParts parts, std::vector<Label> labels,
                 Conversion conversion);

  void read(std::uint32_t index, std::span<std::byte> out) const override;
  [[nodiscard]] Label label(std::uint32_t index) const override;
  [[nodiscard]] std::uint32_t place(std::uint32_t index) const override {
    return parts_.order[index];
  }
  [[nodiscard]] std::uint64_t content_hash() const override { return content_hash_; }

 private:
  FolderIndex index_;
  SampleParts parts_;
  std::vector<Label> labels_;
  Conversion conversion_;
  std::uint64_t content_hash_;
};

}  // namespace lipizz::data
