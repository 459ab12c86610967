#include "data/facades.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "data/files.hpp"
#include "data/jpeg.hpp"

namespace lipizz::data {
namespace {

using Paths = std::vector<std::filesystem::path>;

constexpr std::uint32_t kExtent = 256;
constexpr std::uint32_t kColours = 3;
constexpr SampleShape kShape{.height = kExtent, .width = kExtent, .channels = 2 * kColours};
constexpr std::size_t kMostFiles = 10'000;  // 4 GB

Paths pictures(const std::filesystem::path& folder) {
  Paths files = list_files(folder, ".jpg");
  if (files.size() <= kMostFiles) return files;
  refuse_file(folder, "expected at most " + std::to_string(kMostFiles) + " pictures, found " +
                          std::to_string(files.size()));
}

void read_pair(const std::filesystem::path& path, std::span<std::uint8_t> sample) {
  const Image picture = read_jpeg(path, 2 * kExtent * kExtent);
  if (picture.width != 2 * kExtent || picture.height != kExtent || picture.channels != kColours) {
    refuse_file(path, "expected 512 x 256 pixels in 3 channels, found " +
                          std::to_string(picture.width) + " x " + std::to_string(picture.height) +
                          " in " + std::to_string(picture.channels));
  }
  std::uint8_t* out = sample.data();
  for (std::uint32_t y = 0; y < kExtent; ++y) {
    for (std::uint32_t x = 0; x < kExtent; ++x) {
      out = std::copy_n(picture.pixel(kExtent + x, y), kColours, out);
      out = std::copy_n(picture.pixel(x, y), kColours, out);
    }
  }
}

}  // namespace

DatasetSource find_facades(const OpenOptions& options) {
  const std::filesystem::path folder = dataset_folder("facades", options);
  Paths files = pictures(folder / "train");
  Description about;
  about.name = "facades";
  about.shape = kShape;
  about.n_condition_channels = kColours;
  about.n_train = static_cast<std::uint32_t>(files.size());
  for (const char* part : {"val", "test"})
    std::ranges::copy(pictures(folder / part), std::back_inserter(files));
  about.n_test = static_cast<std::uint32_t>(files.size()) - about.n_train;
  return {std::move(about), [files = std::move(files)](const Content& content) {
            for (std::size_t i = 0; i < files.size(); ++i) {
              read_pair(files[i], content.pixels.subspan(i * kShape.size(), kShape.size()));
            }
          }};
}

}  // namespace lipizz::data
