#include "pair.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/random.hpp"
#include "nn/operations.hpp"

namespace lipizz::bench {

Network::Network(const nn::NetworkSpec& spec)
    : parameters(nn::parameter_layout(spec).n_padded), moments(2 * parameters.size()) {
  nn::initialise(spec, Random(1, Purpose::kTest), parameters);
}

nn::TrainedNetwork Network::trained(nn::Loans& loans, std::uint32_t step) {
  return {loans.lend(std::span<float>(parameters)), loans.lend(std::span<float>(moments)), 2e-4f, 0,
          step};
}

Samples::Samples(std::uint32_t n, std::uint32_t size)
    : size_(size), indices_(n), values_(std::size_t{n} * size) {
  std::iota(indices_.begin(), indices_.end(), 0U);
  Random(2, Purpose::kTest).normals(0, n, size, values_);
}

std::uint32_t Samples::n_samples() const {
  return static_cast<std::uint32_t>(indices_.size());
}

void Samples::read(std::span<const std::uint32_t> indices, std::span<float> out) const {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto row = std::span(values_).subspan(std::size_t{indices[i]} * size_, size_);
    std::ranges::copy(row, out.subspan(i * size_).begin());
  }
}

nn::Engine fastest_engine() {
  nn::Engine engine{nn::Backend::kReference, nn::NumericsLevel::kBaseline};
  if (nn::is_available(nn::Backend::kOneDnn)) {
    engine = {nn::Backend::kOneDnn, nn::detect_numerics_level()};
  }
  nn::fix_numerics(engine);
  return engine;
}

double product_flops(const nn::Graph& graph) {
  constexpr std::array kProducts{&nn::kLinear, &nn::kMatmul, &nn::kConvolution,
                                 &nn::kTransposedConvolution, &nn::kConvolutionWeights};
  std::uint64_t total = 0;
  for (const nn::ValueId value : graph.live_operations()) {
    if (std::ranges::count(kProducts, graph.node(value).operation) != 0) {
      total += graph.flops(value);
    }
  }
  return static_cast<double>(total);
}

}  // namespace lipizz::bench
