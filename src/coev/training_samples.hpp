#pragma once

#include "data/dataset.hpp"
#include "nn/base/sample_source.hpp"

namespace lipizz::coev {

/// The training samples of a dataset, which outlives it, as steps take them.
class TrainingSamples final : public nn::SampleSource {
 public:
  explicit TrainingSamples(const data::Dataset& dataset) : dataset_(dataset) {}
  [[nodiscard]] std::uint32_t n_samples() const override { return dataset_.n_train(); }
  [[nodiscard]] std::uint32_t sample_size() const override { return dataset_.shape().size(); }
  void read(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    dataset_.read_train(indices, out);
  }
  [[nodiscard]] const void* identity() const override { return &dataset_; }
  [[nodiscard]] std::uint32_t label(std::uint32_t index) const override {
    return dataset_.train_label(index);
  }

 private:
  const data::Dataset& dataset_;
};

}  // namespace lipizz::coev
