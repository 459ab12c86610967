#include "coev/sample_diversity.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace lipizz::coev {

void NeighbouringRows::add(std::span<const float> rows) {
  for (std::size_t first = 0; first < rows.size(); first += size_) {
    const std::span<const float> row = rows.subspan(first, size_);
    for (std::size_t i = 0; i < last_.size(); ++i) sum_ += std::abs(double{row[i]} - last_[i]);
    n_values_ += last_.size();
    last_.assign(row.begin(), row.end());
  }
}

double NeighbouringRows::mean() const {
  return n_values_ == 0 ? 0 : sum_ / static_cast<double>(n_values_);
}

SampleDiversity::SampleDiversity(nn::Device& device, const Settings& settings,
                                 const data::Dataset& dataset)
    : settings_(settings), feed_(settings.model, &dataset), generator_(device, settings.model) {}

double SampleDiversity::of(std::span<const float> generator, Generation generation) {
  const Random noise(settings_.seed, Purpose::kDiversityNoise, {}, generation);
  const std::uint32_t n = std::max(2U, settings_.operators.fitness.n_samples);
  NeighbouringRows rows(settings_.model.sample());
  generator_.run(
      generator, n,
      [&](std::uint32_t first, std::uint32_t n_rows, std::span<float> inputs,
          std::span<float> labels) { feed_.fill(noise, first, n_rows, inputs, labels); },
      [&](std::span<const float> samples) { rows.add(samples); });
  return rows.mean();
}

}  // namespace lipizz::coev
