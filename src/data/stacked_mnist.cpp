#include "data/stacked_mnist.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "data/mnist.hpp"

namespace lipizz::data {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint32_t kDigits = 3;
constexpr std::uint32_t kTrain = 128'000;
constexpr std::uint32_t kTest = 26'000;

// The digits of a part of MNIST.
struct Digits {
  std::span<const std::uint8_t> pixels;
  std::span<const Label> labels;
  std::size_t size;  // of one, in pixels
};

// Stack `index` of all; the same ones whoever makes them, in whatever order.
Label stack(const Digits& digits, const Random& random, std::uint32_t index,
            std::span<std::uint8_t> out) {
  std::uint32_t label = 0;
  for (std::uint32_t channel = 0; channel < kDigits; ++channel) {
    const auto n = static_cast<std::uint32_t>(digits.labels.size());
    const std::size_t chosen = random.below(n, index, channel);
    label = 10 * label + digits.labels[chosen];
    const auto digit = digits.pixels.subspan(chosen * digits.size, digits.size);
    for (std::size_t i = 0; i < digit.size(); ++i) out[kDigits * i + channel] = digit[i];
  }
  return static_cast<Label>(label);
}

void load(const DatasetSource& mnist, const Content& content) {
  const Description& about = mnist.about;
  const std::size_t size = about.shape.size();
  std::vector<std::uint8_t> pixels(about.samples_bytes());
  std::vector<Label> labels(about.n_samples());
  mnist.load({.pixels = pixels, .values = {}, .labels = labels});
  const std::span<const std::uint8_t> all(pixels);
  const std::span<const Label> all_labels(labels);
  const Digits train{all.first(about.n_train * size), all_labels.first(about.n_train), size};
  const Digits test{all.subspan(about.n_train * size), all_labels.subspan(about.n_train), size};
  const Random random(kSeed, Purpose::kStack);
  const std::size_t stacked = kDigits * size;
  for (std::uint32_t i = 0; i < kTrain + kTest; ++i) {
    content.labels[i] =
        stack(i < kTrain ? train : test, random, i, content.pixels.subspan(i * stacked, stacked));
  }
}

}  // namespace

DatasetSource find_stacked_mnist(const OpenOptions& options) {
  DatasetSource mnist = find_mnist(options);
  DatasetSource source;
  source.about.name = "stacked-mnist";
  source.about.shape = mnist.about.shape;
  source.about.shape.channels = kDigits;
  source.about.n_classes = 1'000;
  source.about.n_channel_classes = 10;
  source.about.n_train = kTrain;
  source.about.n_test = kTest;
  source.load = [mnist = std::move(mnist)](const Content& content) { load(mnist, content); };
  return source;
}

}  // namespace lipizz::data
