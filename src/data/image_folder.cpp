#include "data/image_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "data/picture_samples.hpp"
#include "data/resize.hpp"

namespace lipizz::data {
namespace {

std::string size_text(const IndexedPicture& picture) {
  return std::to_string(picture.width) + " x " + std::to_string(picture.height);
}

SampleShape shape_of(const FolderIndex& index, const OwnFiles& own) {
  const std::uint32_t channels = channels_of(index, own);
  if (own.size > 0) return {.height = own.size, .width = own.size, .channels = channels};
  const IndexedPicture& first = index.pictures.front();
  for (const IndexedPicture& other : index.pictures) {
    if (other.width == first.width && other.height == first.height) continue;
    throw DataError(index.folder.string() + ": the pictures are of several sizes (" + first.name +
                    " has " + size_text(first) + " pixels, " + other.name + " has " +
                    size_text(other) + "); say with data.size to which they are to be brought");
  }
  return {.height = first.height, .width = first.width, .channels = channels};
}

// The folder that a picture lies in, below that of its part.
std::string class_of(const IndexedPicture& picture, bool has_parts) {
  std::string folder = std::filesystem::path(picture.name).parent_path().generic_string();
  if (!has_parts) return folder;
  const std::size_t end = folder.find('/');
  return end == std::string::npos ? "" : folder.substr(end + 1);
}

struct Classes {
  std::vector<std::string> names;
  std::vector<Label> labels;  // of each picture
};

Classes classes_of(const FolderIndex& index) {
  const bool is_parted = has_parts(index.pictures);
  std::vector<std::string> all;
  for (const IndexedPicture& picture : index.pictures) all.push_back(class_of(picture, is_parted));
  std::vector<std::string> names = all;
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  if (names.size() == 1) return {};
  if (names.front().empty()) {
    const auto beside = static_cast<std::size_t>(std::ranges::find(all, "") - all.begin());
    throw DataError((index.folder / index.pictures[beside].name).string() +
                    ": it lies beside folders, which are classes; put it into one of them");
  }
  if (names.size() > kMostClasses) {
    throw DataError(index.folder.string() + ": expected at most " + std::to_string(kMostClasses) +
                    " folders, which are classes, found " + std::to_string(names.size()));
  }
  Classes classes{.names = std::move(names), .labels = {}};
  for (const std::string& name : all) {
    const auto place = std::ranges::lower_bound(classes.names, name) - classes.names.begin();
    classes.labels.push_back(static_cast<Label>(place));
  }
  return classes;
}

std::string text_of(const std::vector<std::string>& classes) {
  constexpr std::size_t kMostNamed = 10;
  const std::size_t n = std::min(kMostNamed, classes.size());
  return join(std::span(classes).first(n)) + (n < classes.size() ? " ..." : "");
}

Conversion conversion_to(const SampleShape& shape, const OwnFiles& own) {
  const Fit fit = own.fit == "stretch" ? Fit::kStretch : Fit::kCrop;
  const auto convert = [shape, fit](const Image& picture, std::span<std::uint8_t> out) {
    const Image image =
        with_channels(fitted(picture, shape.width, shape.height, fit), shape.channels);
    std::ranges::copy(image.pixels, out.begin());
  };
  return {.shape = shape, .fit = fit, .convert = convert};
}

}  // namespace

DatasetSource find_image_folder(const OpenOptions& options) {
  FolderIndex index = index_folder(options.own.path, options);
  Classes classes = classes_of(index);
  if (!classes.names.empty()) {
    options.log.info(options.own.path + ": " + std::to_string(classes.names.size()) +
                     " classes: " + text_of(classes.names));
  }
  DatasetSource source;
  source.about.name = "image-folder";
  source.about.shape = shape_of(index, options.own);
  source.about.n_classes = static_cast<std::uint32_t>(classes.names.size());
  SampleParts parts = parts_of(index, options.own.test_share);
  source.about.n_train = parts.n_train;
  source.about.n_test = static_cast<std::uint32_t>(parts.order.size()) - parts.n_train;
  source.files = std::make_shared<PictureSamples>(std::move(index), std::move(parts),
                                                  std::move(classes.labels),
                                                  conversion_to(source.about.shape, options.own));
  return source;
}

}  // namespace lipizz::data
