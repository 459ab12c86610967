#include "metrics/channel_features.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace lipizz::metrics {
namespace {

constexpr std::uint32_t kMostTraining = 60'000;
constexpr std::uint32_t kMostTest = 10'000;
constexpr std::size_t kUnits = ClassifierFeatures::kUnits;
constexpr std::size_t kPerChannel = ClassifierFeatures::kPerSample;

std::uint32_t at_most(std::uint32_t most, std::uint64_t n) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, n));
}

// Channel `channel` of a sample [n_pixels, n_channels].
void copy_channel(std::span<const float> sample, std::uint32_t n_channels, std::uint32_t channel,
                  std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = sample[i * n_channels + channel];
}

std::uint32_t power(std::uint32_t base, std::uint32_t exponent) {
  std::uint32_t product = 1;
  while (exponent-- > 0) product *= base;
  return product;
}

}  // namespace

ChannelView::ChannelView(const data::Dataset& stacked) : stacked_(stacked) {
  LIPIZZ_ASSERT(stacked.n_classes() == power(stacked.n_channel_classes(), n_channels()));
}

data::SampleShape ChannelView::shape() const {
  data::SampleShape shape = stacked_.shape();
  shape.channels = 1;
  return shape;
}

std::uint32_t ChannelView::n_train_full() const {
  return at_most(kMostTraining, std::uint64_t{stacked_.n_train_full()} * n_channels());
}

std::uint32_t ChannelView::n_test() const {
  return at_most(kMostTest, std::uint64_t{stacked_.n_test()} * n_channels());
}

void ChannelView::read_train(std::span<const std::uint32_t> indices, std::span<float> out) const {
  read(&data::Dataset::read_train, indices, out);
}

void ChannelView::read_test(std::span<const std::uint32_t> indices, std::span<float> out) const {
  read(&data::Dataset::read_test, indices, out);
}

void ChannelView::read(Read read_stacked, std::span<const std::uint32_t> indices,
                       std::span<float> out) const {
  std::vector<float> sample(stacked_.shape().size());
  const std::size_t size = shape().size();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::uint32_t stack = indices[i] / n_channels();
    (stacked_.*read_stacked)({&stack, 1}, sample);
    copy_channel(sample, n_channels(), indices[i] % n_channels(), out.subspan(i * size, size));
  }
}

data::Label ChannelView::train_label(std::uint32_t index) const {
  return digit(stacked_.train_label(index / n_channels()), index % n_channels());
}

data::Label ChannelView::test_label(std::uint32_t index) const {
  return digit(stacked_.test_label(index / n_channels()), index % n_channels());
}

data::Label ChannelView::digit(data::Label label, std::uint32_t channel) const {
  const std::uint32_t behind = n_channels() - 1 - channel;
  return static_cast<data::Label>(label / power(n_classes(), behind) % n_classes());
}

ChannelFeatures::ChannelFeatures(nn::Device& device, const data::Dataset& dataset,
                                 nn::Buffer<float> parameters)
    : Features(static_cast<std::uint32_t>(kUnits) * dataset.shape().channels, dataset.n_classes()),
      n_channels_(dataset.shape().channels),
      n_pixels_(std::size_t{dataset.shape().height} * dataset.shape().width),
      classifier_(device, classifier_network(dataset), std::move(parameters)) {}

void ChannelFeatures::compute(std::span<const float> samples, std::span<float> out) {
  const std::size_t size = n_pixels_ * n_channels_;
  const std::size_t stride = n_values() + std::size_t{1};
  const std::size_t n = samples.size() / size;
  LIPIZZ_ASSERT(samples.size() == n * size && out.size() == n * stride);
  std::vector<float> channels(samples.size());
  for (std::size_t i = 0; i < n * n_channels_; ++i) {
    copy_channel(samples.subspan(i / n_channels_ * size, size), n_channels_,
                 static_cast<std::uint32_t>(i % n_channels_),
                 std::span(channels).subspan(i * n_pixels_, n_pixels_));
  }
  std::vector<float> rows(n * n_channels_ * kPerChannel);
  classifier_.compute(channels, rows);
  for (std::size_t s = 0; s < n; ++s) {
    float* to = &out[s * stride];
    std::uint32_t label = 0;
    bool has_class = true;
    for (std::uint32_t c = 0; c < n_channels_; ++c) {
      const float* row = &rows[(s * n_channels_ + c) * kPerChannel];
      to = std::copy_n(row, kUnits, to);
      has_class = has_class && row[kUnits] < static_cast<float>(classifier_.n_classes());
      label = classifier_.n_classes() * label + static_cast<std::uint32_t>(row[kUnits]);
    }
    *to = static_cast<float>(has_class ? label : n_classes());
  }
}

std::vector<float> ChannelFeatures::channel_rows(std::span<const float> rows) const {
  const std::size_t stride = n_values() + std::size_t{1};
  const std::size_t n = rows.size() / stride;
  std::vector<float> all(n * n_channels_ * kPerChannel);
  for (std::size_t i = 0; i < n * n_channels_; ++i) {
    std::copy_n(&rows[i / n_channels_ * stride + i % n_channels_ * kUnits], kUnits,
                &all[i * kPerChannel]);
  }
  return all;
}

void ChannelFeatures::class_probabilities(std::span<const float> rows, std::span<float> out) const {
  const std::vector<float> channels = channel_rows(rows);
  const std::size_t n = rows.size() / (n_values() + std::size_t{1});
  const std::size_t k = classifier_.n_classes();
  std::vector<float> of_channels(n * n_channels_ * k);
  classifier_.class_probabilities(channels, of_channels);
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t label = 0; label < n_classes(); ++label) {
      float product = 1;
      std::size_t rest = label;
      for (std::size_t c = n_channels_; c-- > 0; rest /= k) {
        product *= of_channels[(s * n_channels_ + c) * k + rest % k];
      }
      out[s * n_classes() + label] = product;
    }
  }
}

}  // namespace lipizz::metrics
