#include <algorithm>
#include <array>
#include <string>

#include "core/error.hpp"
#include "core/table.hpp"
#include "data/array_samples.hpp"
#include "data/cifar10.hpp"
#include "data/dataset.hpp"
#include "data/facades.hpp"
#include "data/glyph_edges.hpp"
#include "data/glyphs.hpp"
#include "data/image_folder.hpp"
#include "data/mnist.hpp"
#include "data/pair_folder.hpp"
#include "data/points.hpp"
#include "data/stacked_mnist.hpp"
#include "data/stored_dataset.hpp"
#include "data/streamed_dataset.hpp"

namespace lipizz::data {
namespace {

constexpr SampleForm images(std::uint32_t extent, std::uint32_t channels) {
  return {.shape = {.height = extent, .width = extent, .channels = channels}, .n_classes = 10};
}

constexpr SampleForm pairs(std::uint32_t extent, std::uint32_t channels_of_each) {
  return {.shape = {.height = extent, .width = extent, .channels = 2 * channels_of_each},
          .n_condition_channels = channels_of_each};
}

constexpr SampleForm points(std::uint32_t n_modes) {
  return {.kind = SampleKind::kPoint,
          .shape = {.height = 1, .width = 1, .channels = 2},
          .n_classes = n_modes};
}

const std::array kDatasets{
    DatasetEntry{
        .name = "glyphs",
        .summary = "procedural handwritten-like digits, 28x28 grey; built in",
        .origin = Origin::kBuiltIn,
        .form = images(28, 1),
        .model = "mlp",
        .find = find_glyphs,
    },
    DatasetEntry{
        .name = "mnist",
        .summary = "handwritten digits, 28x28 grey (LeCun, Cortes); from files",
        .origin = Origin::kDataDir,
        .form = images(28, 1),
        .model = "mlp",
        .find = find_mnist,
    },
    DatasetEntry{
        .name = "fashion-mnist",
        .summary = "articles of clothing, 28x28 grey (Zalando); from files",
        .origin = Origin::kDataDir,
        .form = images(28, 1),
        .model = "mlp",
        .find = find_fashion_mnist,
    },
    DatasetEntry{
        .name = "stacked-mnist",
        .summary = "three digits in three channels, 28x28, 1,000 classes (VEEGAN); from files",
        .origin = Origin::kDataDir,
        .form = SampleForm{.shape = {.height = 28, .width = 28, .channels = 3},
                           .n_classes = 1'000,
                           .n_channel_classes = 10},
        .model = "dcgan",
        .find = find_stacked_mnist,
    },
    DatasetEntry{
        .name = "cifar10",
        .summary = "animals and vehicles, 32x32 colour (Krizhevsky); from files",
        .origin = Origin::kDataDir,
        .form = images(32, 3),
        .model = "dcgan32",
        .find = find_cifar10,
    },
    DatasetEntry{
        .name = "glyph-edges",
        .summary = "pairs: a digit's outline, the digit, 32x32 grey; built in",
        .origin = Origin::kBuiltIn,
        .form = pairs(32, 1),
        .model = "pix2pix32",
        .find = find_glyph_edges,
    },
    DatasetEntry{
        .name = "facades",
        .summary = "pairs: label map, photo, 256x256 colour (Tylecek); from files",
        .origin = Origin::kDataDir,
        .form = pairs(256, 3),
        .model = "pix2pix",
        .find = find_facades,
    },
    DatasetEntry{
        .name = "ring8",
        .summary = "points of 8 Gaussians on a circle; built in",
        .origin = Origin::kBuiltIn,
        .form = points(8),
        .model = "mlp-2d",
        .find = find_ring8,
    },
    DatasetEntry{
        .name = "grid25",
        .summary = "points of 25 Gaussians on a grid; built in",
        .origin = Origin::kBuiltIn,
        .form = points(25),
        .model = "mlp-2d",
        .find = find_grid25,
    },
    DatasetEntry{
        .name = "image-folder",
        .summary = "a folder of PNG and JPEG files, folders in it being classes; yours",
        .origin = Origin::kPath,
        .form = {},
        .reads = {"size", "fit", "channels", "test_share"},
        .model = "",
        .find = find_image_folder,
    },
    DatasetEntry{
        .name = "pairs",
        .summary = "pairs: a folder of pictures with two images side by side; yours",
        .origin = Origin::kPath,
        .form = {},
        .is_paired = true,
        .reads = {"size", "fit", "channels", "condition", "test_share"},
        .model = "pix2pix",
        .find = find_pair_folder,
    },
    DatasetEntry{
        .name = "npy",
        .summary = "numpy's .npy: images N x H x W (x C), or points N x D; yours",
        .origin = Origin::kPath,
        .form = {},
        .reads = {"range", "test_share"},
        .model = "",
        .find = find_npy,
    },
    DatasetEntry{
        .name = "hdf5",
        .summary = "a dataset of an HDF5 file, of the shapes of npy; yours",
        .origin = Origin::kPath,
        .form = {},
        .reads = {"field", "range", "test_share"},
        .model = "",
        .find = find_hdf5,
    },
    DatasetEntry{
        .name = "csv",
        .summary = "points as lines of numbers; yours",
        .origin = Origin::kPath,
        .form = {},
        .reads = {"test_share"},
        .model = "mlp",
        .find = find_csv,
    },
};

DatasetSource found(const DatasetEntry& entry, const OpenOptions& options) {
  DatasetSource source = entry.find(options);
  source.about.is_streamed =
      source.files != nullptr && source.about.samples_bytes() > options.most_bytes;
  return source;
}

std::shared_ptr<const Dataset> opened(const DatasetSource& source, const OpenOptions& options) {
  if (source.about.is_streamed) return std::make_shared<StreamedDataset>(source, options);
  return StoredDataset::load(source, options);
}

}  // namespace

std::span<const DatasetEntry> datasets() {
  return kDatasets;
}

const DatasetEntry& find_dataset(std::string_view name) {
  return find_row(datasets(), &DatasetEntry::name, name, "dataset");
}

SampleForm form_of(const Dataset& dataset) {
  return {.kind = dataset.kind(),
          .shape = dataset.shape(),
          .n_condition_channels = dataset.n_condition_channels(),
          .n_classes = dataset.n_classes(),
          .n_channel_classes = dataset.n_channel_classes()};
}

std::shared_ptr<const Dataset> open_dataset(std::string_view name, const OpenOptions& options) {
  return opened(found(find_dataset(name), options), options);
}

Description describe_dataset(std::string_view name, const OpenOptions& options) {
  return found(find_dataset(name), options).about;
}

std::shared_ptr<const Dataset> open_shared_dataset(std::string_view name,
                                                   const OpenOptions& options,
                                                   std::span<const std::byte> handle) {
  try {
    return StoredDataset::open(name, options.max_samples, handle);
  } catch (const Error& error) {
    options.log.info("dataset " + std::string(name) +
                     " is not shared within the node, opening a copy: " + error.what());
  }
  return open_dataset(name, options);
}

}  // namespace lipizz::data
