#include "coev/generator_feed.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace lipizz::coev {

void ask_for_classes(std::uint32_t first, std::uint32_t n_classes, std::span<float> labels) {
  for (float& label : labels) label = static_cast<float>(first++ % n_classes);
}

void take_conditions(const nn::GanSpec& model, std::span<const float> samples,
                     std::span<float> inputs) {
  const std::size_t n_channels = model.discriminator.inputs.back();
  const std::size_t n = model.n_condition_channels;
  for (std::size_t pixel = 0; pixel < inputs.size() / n; ++pixel) {
    std::copy_n(samples.begin() + static_cast<std::ptrdiff_t>(pixel * n_channels), n,
                inputs.begin() + static_cast<std::ptrdiff_t>(pixel * n));
  }
}

GeneratorFeed::GeneratorFeed(const nn::GanSpec& model, const data::Dataset* dataset)
    : model_(model), dataset_(dataset) {}

void GeneratorFeed::fill(const Random& noise, std::uint32_t first, std::uint32_t n_rows,
                         std::span<float> inputs, std::span<float> labels) {
  ask_for_classes(first, model_.n_classes(), labels);
  if (model_.n_condition_channels == 0) {
    noise.normals(first, n_rows, model_.latent(), inputs);
    return;
  }
  std::vector<std::uint32_t> indices(n_rows);
  for (std::uint32_t i = 0; i < n_rows; ++i) indices[i] = (first + i) % dataset_->n_test();
  samples_.resize(std::size_t{n_rows} * model_.sample());
  dataset_->read_test(indices, samples_);
  take_conditions(model_, samples_, inputs);
}

}  // namespace lipizz::coev
