#include "nn/network/initialiser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/table.hpp"

namespace lipizz::nn {
namespace {

std::uint32_t sample_of(const ParameterBlock& block, std::size_t i) {
  return static_cast<std::uint32_t>(block.offset + i);
}

void fill_uniform(const ParameterBlock& block, const Random& random, float bound,
                  std::span<float> tensor) {
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    tensor[i] = bound * (2 * random.uniform(sample_of(block, i)) - 1);
  }
}

void fill_normal(const ParameterBlock& block, const Random& random, float mean, float deviation,
                 std::span<float> tensor) {
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    tensor[i] = mean + deviation * random.normal(sample_of(block, i));
  }
}

// The common part of all initialisers. Returns false for weights and class tables, which each of
// them then draws.
bool fill_common(const ParameterBlock& block, const Random& random, std::span<float> tensor) {
  if (block.role == Role::kSingular) {
    fill_normal(block, random, 0, 1, tensor);  // any direction will do
    return true;
  }
  const bool is_one = block.role == Role::kScale || block.role == Role::kVariance;
  std::ranges::fill(tensor, is_one ? 1.0f : 0.0f);
  return block.role != Role::kWeight && block.role != Role::kClassTable;
}

void uniform(const ParameterBlock& block, const Random& random, std::span<float> tensor) {
  if (fill_common(block, random, tensor) && block.role != Role::kBias) return;
  fill_uniform(block, random, 1.0f / std::sqrt(static_cast<float>(block.fan_in)), tensor);
}

void normal_02(const ParameterBlock& block, const Random& random, std::span<float> tensor) {
  constexpr float kDeviation = 0.02f;
  if (block.role == Role::kScale) return fill_normal(block, random, 1, kDeviation, tensor);
  if (!fill_common(block, random, tensor)) fill_normal(block, random, 0, kDeviation, tensor);
}

float glorot_variance(const ParameterBlock& block) {
  return 2.0f / static_cast<float>(block.fan_in + block.fan_out);
}

float he_variance(const ParameterBlock& block) {
  return 2.0f / static_cast<float>(block.fan_in);
}

template <float (*variance)(const ParameterBlock&)>
void scaled_uniform(const ParameterBlock& block, const Random& random, std::span<float> tensor) {
  if (fill_common(block, random, tensor)) return;
  fill_uniform(block, random, block.gain * std::sqrt(3 * variance(block)), tensor);
}

template <float (*variance)(const ParameterBlock&)>
void scaled_normal(const ParameterBlock& block, const Random& random, std::span<float> tensor) {
  if (fill_common(block, random, tensor)) return;
  fill_normal(block, random, 0, block.gain * std::sqrt(variance(block)), tensor);
}

void zeros(const ParameterBlock& block, const Random& random, std::span<float> tensor) {
  fill_common(block, random, tensor);
}

// Makes the rows of a [n, width], n <= width, orthonormal, first to last (Gram-Schmidt, each row
// twice for the sake of rounding). For independent normals that is Haar measure, as a QR
// decomposition gives with the signs of R's diagonal made positive.
void orthonormalise(std::vector<double>& a, std::size_t n, std::size_t width) {
  for (std::size_t row = 0; row < n; ++row) {
    double* current = a.data() + row * width;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t other = 0; other < row; ++other) {
        const double* before = a.data() + other * width;
        double product = 0;
        for (std::size_t i = 0; i < width; ++i) product += current[i] * before[i];
        for (std::size_t i = 0; i < width; ++i) current[i] -= product * before[i];
      }
    }
    double square = 0;
    for (std::size_t i = 0; i < width; ++i) square += current[i] * current[i];
    for (std::size_t i = 0; i < width; ++i) current[i] /= std::sqrt(square);
  }
}

// The tensor as [inputs, outputs]; whichever is fewer becomes orthonormal.
void orthogonal(const ParameterBlock& block, const Random& random, std::span<float> tensor) {
  if (fill_common(block, random, tensor)) return;
  const std::size_t n_out = block.shape.back();
  const std::size_t n_in = tensor.size() / n_out;
  const bool are_outputs_fewer = n_out <= n_in;
  const std::size_t n = std::min(n_in, n_out);
  const std::size_t width = std::max(n_in, n_out);
  std::vector<double> a(n * width);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<double>(random.normal(sample_of(block, i)));
  }
  orthonormalise(a, n, width);
  for (std::size_t in = 0; in < n_in; ++in) {
    for (std::size_t out = 0; out < n_out; ++out) {
      const std::size_t at = are_outputs_fewer ? out * width + in : in * width + out;
      tensor[in * n_out + out] = static_cast<float>(a[at]);
    }
  }
}

constexpr Initialiser kGlorotNormal{"glorot-normal",
                                    "weights N(0, 2 / (fan_in + fan_out)) (Glorot 2010)",
                                    scaled_normal<glorot_variance>};
constexpr Initialiser kHeUniform{"he-uniform", "weights U(+-sqrt(6 / fan_in)) (He 2015)",
                                 scaled_uniform<he_variance>};
constexpr Initialiser kOrthogonal{
    "orthogonal", "weights with orthonormal columns or rows (Saxe 2013)", orthogonal};
constexpr Initialiser kZeros{"zeros", "weights 0", zeros};

}  // namespace

constexpr Initialiser kUniform{
    "uniform", "weights and biases U(+-1/sqrt(fan_in)), PyTorch's default", uniform};
constexpr Initialiser kNormal02{"normal-0.02", "weights N(0, 0.02), scales N(1, 0.02) (DCGAN)",
                                normal_02};
constexpr Initialiser kGlorotUniform{"glorot-uniform",
                                     "weights U(+-sqrt(6 / (fan_in + fan_out))) (Glorot 2010)",
                                     scaled_uniform<glorot_variance>};
constexpr Initialiser kHeNormal{"he-normal", "weights N(0, 2 / fan_in) (He 2015)",
                                scaled_normal<he_variance>};

std::span<const Initialiser* const> initialisers() {
  static constexpr std::array kAll{&kUniform,   &kNormal02, &kGlorotUniform, &kGlorotNormal,
                                   &kHeUniform, &kHeNormal, &kOrthogonal,    &kZeros};
  return kAll;
}

const Initialiser& find_initialiser(std::string_view name) {
  return *find_row(initialisers(), &Initialiser::name, name, "initialiser");
}

}  // namespace lipizz::nn
