#include "data/pair_folder.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "data/picture_samples.hpp"
#include "data/resize.hpp"

namespace lipizz::data {
namespace {

[[noreturn]] void fail(const FolderIndex& index, const IndexedPicture& picture,
                       const std::string& what) {
  throw DataError((index.folder / picture.name).string() + ": " + what + ", found " +
                  std::to_string(picture.width) + " x " + std::to_string(picture.height));
}

// The shape of each half.
SampleShape half_shape(const FolderIndex& index, const OwnFiles& own) {
  const IndexedPicture& first = index.pictures.front();
  for (const IndexedPicture& picture : index.pictures) {
    if (picture.width % 2 != 0) {
      fail(index, picture, "expected two images side by side, so an even width");
    }
    const bool is_alike = picture.width == first.width && picture.height == first.height;
    if (own.size == 0 && !is_alike) {
      fail(index, picture,
           "expected " + std::to_string(first.width) + " x " + std::to_string(first.height) +
               " pixels, as " + first.name +
               " has (or say with data.size to which size images are "
               "to be brought)");
    }
  }
  const std::uint32_t channels = channels_of(index, own);
  if (own.size > 0) return {.height = own.size, .width = own.size, .channels = channels};
  return {.height = first.height, .width = first.width / 2, .channels = channels};
}

Image half_of(const Image& picture, std::uint32_t first_column) {
  Image half(picture.width / 2, picture.height, picture.channels);
  for (std::uint32_t y = 0; y < half.height; ++y) {
    std::copy_n(picture.pixel(first_column, y), std::size_t{half.width} * half.channels,
                half.pixel(0, y));
  }
  return half;
}

Conversion conversion_to(const SampleShape& half, const OwnFiles& own) {
  const Fit fit = own.fit == "stretch" ? Fit::kStretch : Fit::kCrop;
  const bool is_left_given = own.condition == "left";
  const auto convert = [=](const Image& picture, std::span<std::uint8_t> out) {
    const auto image = [&](bool is_left) {
      const Image part = half_of(picture, is_left ? 0 : picture.width / 2);
      return with_channels(fitted(part, half.width, half.height, fit), half.channels);
    };
    const Image given = image(is_left_given);
    const Image wanted = image(!is_left_given);
    std::uint8_t* to = out.data();
    for (std::size_t i = 0; i < given.pixels.size(); i += half.channels) {
      to = std::copy_n(&given.pixels[i], half.channels, to);
      to = std::copy_n(&wanted.pixels[i], half.channels, to);
    }
  };
  return {.shape = half, .fit = fit, .condition = own.condition, .convert = convert};
}

}  // namespace

DatasetSource find_pair_folder(const OpenOptions& options) {
  FolderIndex index = index_folder(options.own.path, options);
  const SampleShape half = half_shape(index, options.own);
  DatasetSource source;
  source.about.name = "pairs";
  source.about.shape = {.height = half.height, .width = half.width, .channels = 2 * half.channels};
  source.about.n_condition_channels = half.channels;
  SampleParts parts = parts_of(index, options.own.test_share);
  source.about.n_train = parts.n_train;
  source.about.n_test = static_cast<std::uint32_t>(parts.order.size()) - parts.n_train;
  source.files = std::make_shared<PictureSamples>(
      std::move(index), std::move(parts), std::vector<Label>(), conversion_to(half, options.own));
  return source;
}

}  // namespace lipizz::data
