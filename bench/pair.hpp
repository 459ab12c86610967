#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/buffer.hpp"
#include "nn/device.hpp"
#include "nn/engine.hpp"
#include "nn/graph.hpp"
#include "nn/network.hpp"
#include "nn/programs.hpp"
#include "nn/sample_source.hpp"

/// What benchmarks of training steps train.
namespace lipizz::bench {

/// A network at its start, with the moments of Adam.
struct Network {
  explicit Network(const nn::NetworkSpec& spec);
  nn::TrainedNetwork trained(nn::Loans& loans, std::uint32_t step);
  nn::Buffer<float> parameters, moments;
};

/// A batch of normals.
class Samples final : public nn::SampleSource {
 public:
  Samples(std::uint32_t n, std::uint32_t size);
  [[nodiscard]] std::uint32_t n_samples() const override;
  [[nodiscard]] std::uint32_t sample_size() const override { return size_; }
  void read(std::span<const std::uint32_t> indices, std::span<float> out) const override;
  [[nodiscard]] std::uint32_t label(std::uint32_t) const override { return 0; }
  [[nodiscard]] std::span<const std::uint32_t> all() const { return indices_; }

 private:
  std::uint32_t size_;
  std::vector<std::uint32_t> indices_;
  nn::Buffer<float> values_;
};

/// The fast engine of this build, its numerics fixed.
nn::Engine fastest_engine();

/// Multiplications and additions of a graph's products, the rest not counted.
double product_flops(const nn::Graph& graph);

}  // namespace lipizz::bench
