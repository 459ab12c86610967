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
      DatasetEntry{"glyphs", "procedural handwritten-like digits, 28x28 grey; built in",
                   SampleKind::kImage, 10, "mlp", open_glyphs},
      DatasetEntry{"mnist", "handwritten digits, 28x28 grey (LeCun, Cortes); from files",
                   SampleKind::kImage, 10, "mlp", open_mnist},
      DatasetEntry{"fashion-mnist", "articles of clothing, 28x28 grey (Zalando); from files",
                   SampleKind::kImage, 10, "mlp", open_fashion_mnist},
      DatasetEntry{"cifar10", "animals and vehicles, 32x32 colour (Krizhevsky); from files",
                   SampleKind::kImage, 10, "dcgan32", open_cifar10},
      DatasetEntry{"glyph-edges", "pairs: a digit's outline, the digit, 32x32 grey; built in",
                   SampleKind::kImage, 0, "pix2pix32", open_glyph_edges},
      DatasetEntry{"facades", "pairs: label map, photo, 256x256 colour (Tylecek); from files",
                   SampleKind::kImage, 0, "pix2pix", open_facades},
      DatasetEntry{"ring8", "points of 8 Gaussians on a circle; built in", SampleKind::kPoint, 8,
                   "mlp-2d", open_ring8},
      DatasetEntry{"grid25", "points of 25 Gaussians on a grid; built in", SampleKind::kPoint, 25,
                   "mlp-2d", open_grid25},
  };
  return kDatasets;
}

const DatasetEntry& find_dataset(std::string_view name) {
  return find_row(datasets(), &DatasetEntry::name, name, "dataset");
}

std::shared_ptr<const Dataset> open_dataset(std::string_view name, const OpenOptions& options) {
  return find_dataset(name).open(options);
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
  return entry.open(options);
}

}  // namespace lipizz::data
