#include "metrics/classifier.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "core/finite.hpp"
#include "core/random.hpp"
#include "metrics/class_scores.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/train/classifier_step.hpp"
#include "nn/train/program_memory.hpp"

namespace lipizz::metrics {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint32_t kEpochs = 3;
constexpr std::uint32_t kTrainingBatch = 100;
constexpr nn::OptimizerSpec kOptimizer{.beta1 = 0.9};

std::size_t n_moments() {
  return nn::entry(kOptimizer.kind).n_moments;
}

// A last epoch of small steps settles the weights.
constexpr float learning_rate(std::uint32_t epoch) {
  return epoch + 1 == kEpochs ? 1e-4f : 1e-3f;
}

void load_batch(const data::Dataset& dataset, std::span<const std::uint32_t> indices,
                nn::ClassifierStep& step) {
  dataset.read_train(indices, step.input());
  std::ranges::transform(indices, step.labels().begin(), [&](std::uint32_t index) {
    return static_cast<float>(dataset.train_label(index));
  });
}

// By how much images of this shape are shrunk, a power of two that divides it.
std::uint32_t shrinking_of(const data::SampleShape& shape) {
  std::uint32_t height = shape.height;
  std::uint32_t width = shape.width;
  while (height % 2 == 0 && width % 2 == 0 && std::min(height, width) >= 64) {
    height /= 2;
    width /= 2;
  }
  return shape.height / height;
}

}  // namespace

nn::NetworkSpec classifier_network(const data::Dataset& dataset) {
  return classifier_network(data::form_of(dataset));
}

nn::NetworkSpec classifier_network(const data::SampleForm& form) {
  const auto convolution = [](std::uint32_t channels) {
    return nn::Layer{.outputs = channels, .kind = &nn::kConvolutionLayer, .window = {.kernel = 5}};
  };
  const nn::Layer pool{.kind = &nn::kMaxPoolLayer, .window = {.kernel = 2, .stride = 2}};
  const nn::Layer relu{.activation = nn::Activation::kRelu, .kind = &nn::kActivationLayer};
  const bool is_stacked = form.n_channel_classes > 0;
  const data::SampleShape& shape = form.shape;
  nn::NetworkSpec network{{shape.height, shape.width, is_stacked ? 1 : shape.channels}, {}};
  const std::uint32_t shrinking = shrinking_of(shape);
  if (shrinking > 1) {
    network.layers.push_back({.kind = &nn::kAveragePoolLayer, .window = {.kernel = shrinking}});
  }
  for (const nn::Layer& layer : {convolution(16), pool, relu, convolution(16), pool, relu}) {
    network.layers.push_back(layer);
  }
  network.layers.push_back({ClassifierFeatures::kUnits, nn::Activation::kRelu});
  network.layers.push_back({is_stacked ? form.n_channel_classes : form.n_classes});
  return network;
}

nn::Buffer<float> train_classifier(const data::Dataset& dataset, const Progress& progress) {
  const nn::NetworkSpec network = classifier_network(dataset);
  nn::Buffer<float> parameters(nn::parameter_layout(network).n_padded);
  nn::initialise(network, Random(kSeed, Purpose::kClassifierInit), parameters);
  nn::Buffer<float> moments(n_moments() * parameters.size());
  const std::uint32_t batch = std::min(kTrainingBatch, dataset.n_train_full());
  nn::ClassifierStep step(nn::Engine{}, network, kOptimizer, batch);
  step.bind(parameters, moments);
  const std::uint32_t n_steps = kEpochs * (dataset.n_train_full() / batch);
  std::uint32_t n_done = 0;
  for (std::uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
    const Random random(kSeed, Purpose::kClassifierShuffle, {}, epoch);
    const std::vector<std::uint32_t> order = random.permutation(dataset.n_train_full());
    for (std::uint32_t first = 0; first + batch <= order.size(); first += batch) {
      load_batch(dataset, std::span(order).subspan(first, batch), step);
      step.run(learning_rate(epoch), n_done++);
      progress(static_cast<double>(n_done) / n_steps);
    }
  }
  return parameters;
}

std::size_t classifier_training_bytes(const nn::NetworkSpec& network) {
  return n_moments() * nn::parameter_layout(network).n_padded * sizeof(float) +
         nn::classifier_step_bytes(nn::Engine{}, network, kOptimizer, kTrainingBatch).total();
}

ClassifierFeatures::ClassifierFeatures(nn::Device& device, const nn::NetworkSpec& network,
                                       nn::Buffer<float> parameters)
    : Features(kUnits, network.layers.back().outputs),
      network_(network),
      batch_(device.is_host() ? kHostBatch : kDeviceBatch),
      parameters_(std::move(parameters)),
      last_weights_(std::prev(nn::parameter_layout(network).blocks.end(), 2)->offset),
      uploads_(device),
      input_(device, std::size_t{batch_} * network.n_inputs()),
      output_(device, std::size_t{batch_} * kUnits),
      inference_(device, network, batch_, 1, static_cast<std::uint32_t>(network.layers.size() - 1),
                 nn::Exactness::kStrict) {
  inference_.bind(0, uploads_.upload(std::span<const float>(parameters_)), input_.region(),
                  output_.region());
}

void ClassifierFeatures::compute(std::span<const float> samples, std::span<float> out) {
  const std::size_t n = samples.size() / network_.n_inputs();
  LIPIZZ_ASSERT(samples.size() == n * network_.n_inputs() && out.size() == n * kPerSample);
  for (std::size_t first = 0; first < n; first += batch_) {
    const std::size_t rows = std::min<std::size_t>(batch_, n - first);
    // Rows beyond the last sample keep what they hold: no row depends on another.
    std::ranges::copy(samples.subspan(first * network_.n_inputs(), rows * network_.n_inputs()),
                      input_.host().begin());
    input_.push(rows * network_.n_inputs());
    inference_.run();
    output_.pull(rows * kUnits);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::span<float> units = output_.host().subspan(row * kUnits, kUnits);
      // The activations would make ordinary numbers of these.
      if (!all_finite(input_.host().subspan(row * network_.n_inputs(), network_.n_inputs()))) {
        std::ranges::fill(units, std::numeric_limits<float>::quiet_NaN());
      }
      const std::span<float> place = out.subspan((first + row) * kPerSample, kPerSample);
      std::ranges::copy(units, place.begin());
      place.back() = class_index(units);
    }
  }
}

void ClassifierFeatures::class_probabilities(std::span<const float> rows,
                                             std::span<float> out) const {
  const std::size_t n = rows.size() / kPerSample;
  LIPIZZ_ASSERT(rows.size() == n * kPerSample && out.size() == n * n_classes());
  for (std::size_t row = 0; row < n; ++row) {
    logits(rows.subspan(row * kPerSample, kUnits), out.subspan(row * n_classes(), n_classes()));
  }
  softmax_rows(out, n_classes());
}

// The last layer, weights [kUnits, n_classes] and then biases, each logit summed in the order of
// the units.
void ClassifierFeatures::logits(std::span<const float> units, std::span<float> out) const {
  const float* weights = parameters_.data() + last_weights_;
  std::copy_n(weights + std::size_t{kUnits} * out.size(), out.size(), out.begin());
  for (const float unit : units) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] += unit * weights[c];
    weights += out.size();
  }
}

float ClassifierFeatures::class_index(std::span<const float> units) const {
  std::vector<float> found(n_classes());
  logits(units, found);
  std::uint32_t best = n_classes();
  float largest = -std::numeric_limits<float>::infinity();
  for (std::uint32_t c = 0; c < n_classes(); ++c) {
    if (found[c] > largest) {
      largest = found[c];
      best = c;
    }
  }
  return static_cast<float>(best);
}

nn::PlanBytes ClassifierFeatures::bytes(const nn::NetworkSpec& network, const nn::Engine& engine) {
  const std::size_t n_kept =
      nn::parameter_layout(network).n_padded + std::size_t{kHostBatch} * network.n_inputs();
  return nn::inference_bytes(engine, network, kHostBatch) +
         nn::PlanBytes{.kept = n_kept * sizeof(float)};
}

}  // namespace lipizz::metrics
