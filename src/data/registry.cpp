#include <algorithm>
#include <array>
#include <string>

#include "core/table.hpp"
#include "data/cifar10.hpp"
#include "data/dataset.hpp"
#include "data/facades.hpp"
#include "data/glyph_edges.hpp"
#include "data/glyphs.hpp"
#include "data/mnist.hpp"
#include "data/points.hpp"
#include "data/stored_dataset.hpp"

namespace lipizz::data {

std::span<const DatasetEntry> datasets() {
  static constexpr std::array kDatasets{
      DatasetEntry{
          .name = "glyphs",
          .summary = "procedural handwritten-like digits, 28x28 grey; built in",
          .kind = SampleKind::kImage,
          .n_classes = 10,
          .model = "mlp",
          .is_built_in = true,
          .find = find_glyphs,
      },
      DatasetEntry{
          .name = "mnist",
          .summary = "handwritten digits, 28x28 grey (LeCun, Cortes); from files",
          .kind = SampleKind::kImage,
          .n_classes = 10,
          .model = "mlp",
          .is_built_in = false,
          .find = find_mnist,
      },
      DatasetEntry{
          .name = "fashion-mnist",
          .summary = "articles of clothing, 28x28 grey (Zalando); from files",
          .kind = SampleKind::kImage,
          .n_classes = 10,
          .model = "mlp",
          .is_built_in = false,
          .find = find_fashion_mnist,
      },
      DatasetEntry{
          .name = "cifar10",
          .summary = "animals and vehicles, 32x32 colour (Krizhevsky); from files",
          .kind = SampleKind::kImage,
          .n_classes = 10,
          .model = "dcgan32",
          .is_built_in = false,
          .find = find_cifar10,
      },
      DatasetEntry{
          .name = "glyph-edges",
          .summary = "pairs: a digit's outline, the digit, 32x32 grey; built in",
          .kind = SampleKind::kImage,
          .n_classes = 0,
          .model = "pix2pix32",
          .is_built_in = true,
          .find = find_glyph_edges,
      },
      DatasetEntry{
          .name = "facades",
          .summary = "pairs: label map, photo, 256x256 colour (Tylecek); from files",
          .kind = SampleKind::kImage,
          .n_classes = 0,
          .model = "pix2pix",
          .is_built_in = false,
          .find = find_facades,
      },
      DatasetEntry{
          .name = "ring8",
          .summary = "points of 8 Gaussians on a circle; built in",
          .kind = SampleKind::kPoint,
          .n_classes = 8,
          .model = "mlp-2d",
          .is_built_in = true,
          .find = find_ring8,
      },
      DatasetEntry{
          .name = "grid25",
          .summary = "points of 25 Gaussians on a grid; built in",
          .kind = SampleKind::kPoint,
          .n_classes = 25,
          .model = "mlp-2d",
          .is_built_in = true,
          .find = find_grid25,
      },
  };
  return kDatasets;
}

const DatasetEntry& find_dataset(std::string_view name) {
  return find_row(datasets(), &DatasetEntry::name, name, "dataset");
}

std::shared_ptr<const Dataset> open_dataset(std::string_view name, const OpenOptions& options) {
  return StoredDataset::load(find_dataset(name).find(options), options.max_samples);
}

Description describe_dataset(std::string_view name, const OpenOptions& options) {
  return find_dataset(name).find(options).about;
}

std::shared_ptr<const Dataset> open_shared_dataset(std::string_view name,
                                                   const OpenOptions& options,
                                                   std::span<const std::byte> handle,
                                                   const Log& log) {
  const DatasetEntry& entry = find_dataset(name);
  try {
    return StoredDataset::open(name, options.max_samples, handle);
  } catch (const Error& error) {
    if (log) {
      log("dataset " + std::string(name) +
          " is not shared within the node, opening a copy: " + error.what());
    }
  }
  return StoredDataset::load(entry.find(options), options.max_samples);
}

}  // namespace lipizz::data
