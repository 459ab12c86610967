#include "metrics/features.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace lipizz::metrics {
namespace {

constexpr std::size_t kMostRows = 250;
constexpr std::size_t kMostValues = 1U << 20;  // 4 MB

}  // namespace

std::uint32_t rows_at_once(std::size_t sample_size) {
  const std::size_t n = std::clamp(kMostValues / sample_size, std::size_t{1}, kMostRows);
  return static_cast<std::uint32_t>(n);
}

void visit_features(const data::Dataset& dataset, Part part, std::uint32_t n, Features& features,
                    const std::function<void(std::uint32_t, std::span<const float>)>& visit) {
  const std::size_t sample_size = dataset.shape().size();
  const std::size_t stride = features.n_values() + std::size_t{1};
  const std::uint32_t block = rows_at_once(sample_size);
  std::vector<float> samples(block * sample_size);
  std::vector<float> values(block * stride);
  std::vector<std::uint32_t> indices(block);
  for (std::uint32_t first = 0; first < n; first += block) {
    const std::uint32_t rows = std::min(block, n - first);
    std::iota(indices.begin(), indices.end(), first);
    const auto chosen = std::span<const std::uint32_t>(indices).first(rows);
    const auto read = std::span(samples).first(rows * sample_size);
    const auto results = std::span(values).first(rows * stride);
    part == Part::kTrain ? dataset.read_train(chosen, read) : dataset.read_test(chosen, read);
    features.compute(read, results);
    visit(first, results);
  }
}

}  // namespace lipizz::metrics
