#pragma once

#include "core/random.hpp"
#include "data/dataset.hpp"

namespace lipizz::bench {

/// Images of the size of MNIST's, of noise.
class NoiseImages final : public data::Dataset {
 public:
  [[nodiscard]] std::string_view name() const override { return "noise"; }
  [[nodiscard]] data::SampleKind kind() const override { return data::SampleKind::kImage; }
  [[nodiscard]] data::SampleShape shape() const override { return {28, 28, 1}; }
  [[nodiscard]] std::uint32_t n_train() const override { return 1000; }
  [[nodiscard]] std::uint32_t n_train_full() const override { return n_train(); }
  [[nodiscard]] std::uint32_t n_test() const override { return n_train(); }
  [[nodiscard]] std::uint32_t n_classes() const override { return 10; }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    const Random random(1, Purpose::kTest);
    const std::size_t n = shape().size();
    for (std::size_t i = 0; i < indices.size(); ++i) {
      random.normals(indices[i], 1, static_cast<std::uint32_t>(n), out.subspan(i * n, n));
    }
  }
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    read_train(indices, out);
  }
  [[nodiscard]] data::Label train_label(std::uint32_t index) const override { return index % 10; }
  [[nodiscard]] data::Label test_label(std::uint32_t index) const override { return index % 10; }
  [[nodiscard]] std::span<const data::Mode> modes() const override { return {}; }
  [[nodiscard]] std::uint64_t content_hash() const override { return 0; }
};

}  // namespace lipizz::bench
