#include "data/mnist.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/files.hpp"
#include "data/idx.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint32_t kExtent = 28;
constexpr std::uint32_t kClasses = 10;
constexpr std::uint32_t kMostImages = 200'000;  // bounds what a wrong header can allocate
constexpr std::array kImageRanges{IdxFile::Range{1, kMostImages}, IdxFile::Range{kExtent, kExtent},
                                  IdxFile::Range{kExtent, kExtent}};

/// Images and labels of one part, `train` or `t10k`; the headers have been read.
class Part {
 public:
  Part(const std::filesystem::path& folder, const std::string& name)
      : images_(folder / (name + "-images-idx3-ubyte.gz"), kImageRanges),
        labels_(folder / (name + "-labels-idx1-ubyte.gz"),
                std::array{IdxFile::Range{1, kMostImages}}) {
    if (labels_.dimensions()[0] != n_images()) {
      labels_.fail("expected " + std::to_string(n_images()) +
                   " labels, as many as there are images beside it, found " +
                   std::to_string(labels_.dimensions()[0]));
    }
  }

  [[nodiscard]] std::uint32_t n_images() const { return images_.dimensions()[0]; }

  void read(std::span<std::uint8_t> pixels, std::span<Label> out) {
    images_.read(pixels);
    std::vector<std::uint8_t> labels(out.size());
    labels_.read(labels);
    std::ranges::copy(labels, out.begin());
    const auto wrong = std::ranges::find_if(labels, [](auto label) { return label >= kClasses; });
    if (wrong == labels.end()) return;
    labels_.fail("expected labels from 0 to " + std::to_string(kClasses - 1) + ", found " +
                 std::to_string(*wrong) + " at index " + std::to_string(wrong - labels.begin()));
  }

 private:
  IdxFile images_;
  IdxFile labels_;
};

DatasetSource find_in_folder(const std::string& name, const OpenOptions& options) {
  const std::filesystem::path folder = dataset_folder(name, options);
  const auto train = std::make_shared<Part>(folder, "train");
  const auto test = std::make_shared<Part>(folder, "t10k");
  Description about;
  about.name = name;
  about.kind = SampleKind::kImage;
  about.shape = {.height = kExtent, .width = kExtent, .channels = 1};
  about.n_train = train->n_images();
  about.n_test = test->n_images();
  about.n_classes = kClasses;
  const std::uint32_t n_train = about.n_train;
  const std::size_t n_train_pixels = std::size_t{n_train} * about.shape.size();
  return {std::move(about), [=](const Content& content) {
            train->read(content.pixels.first(n_train_pixels), content.labels.first(n_train));
            test->read(content.pixels.subspan(n_train_pixels), content.labels.subspan(n_train));
          }};
}

}  // namespace

DatasetSource find_mnist(const OpenOptions& options) {
  return find_in_folder("mnist", options);
}

DatasetSource find_fashion_mnist(const OpenOptions& options) {
  return find_in_folder("fashion-mnist", options);
}

}  // namespace lipizz::data
