#include "data/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "core/check.hpp"
#include "core/simd.hpp"
#include "data/image.hpp"

namespace lipizz::data {
namespace {

constexpr std::size_t kPart = 256;              // values between two looks at the sum so far
constexpr std::size_t kPieceValues = 1U << 20;  // of training samples that are compared together

// The sum fits, there being at most kPart pixels.
LIPIZZ_MULTIVERSION
std::uint32_t squares(const std::uint8_t* a, const std::uint8_t* b, std::size_t n) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const int difference = a[i] - b[i];
    sum += static_cast<std::uint32_t>(difference * difference);
  }
  return sum;
}

// In order, so that the bits are the same everywhere.
double squares(const float* a, const float* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = double{a[i]} - double{b[i]};
    sum += difference * difference;
  }
  return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
}

// The squared distance, or anything above `limit` where it is that.
template <class Value>
double squared_distance(std::span<const Value> a, std::span<const Value> b, double limit) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size() && sum <= limit; i += kPart) {
    sum += squares(a.data() + i, b.data() + i, std::min(kPart, a.size() - i));
  }
  return sum;
}

// The k nearest so far.
class Nearest {
 public:
  explicit Nearest(std::span<Neighbour> found) : found_(found) {
    std::ranges::fill(found_, Neighbour{UINT32_MAX, std::numeric_limits<double>::infinity()});
  }
  // The distance that a later sample has to be below.
  [[nodiscard]] double limit() const { return found_.back().distance; }
  void offer(std::uint32_t index, double squared) {
    const bool is_filled = found_.back().index != UINT32_MAX;
    if (is_filled && !(squared < limit())) return;
    auto place = found_.end() - 1;
    while (place != found_.begin() &&
           ((place - 1)->index == UINT32_MAX || (place - 1)->distance > squared)) {
      *place = *(place - 1);
      --place;
    }
    *place = {index, squared};
  }

 private:
  std::span<Neighbour> found_;
};

// The values that are compared: pixels of images, without the conditions of pairs.
class Compared {
 public:
  explicit Compared(const Dataset& dataset)
      : channels_(dataset.shape().channels), skipped_(dataset.n_condition_channels()) {}

  [[nodiscard]] std::size_t size(std::size_t n_values) const {
    return n_values / channels_ * (channels_ - skipped_);
  }
  template <class Value>
  void take(std::span<const float> samples, std::vector<Value>& values) const {
    values.clear();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (i % channels_ < skipped_) continue;
      if constexpr (std::is_same_v<Value, float>) {
        values.push_back(samples[i]);
      } else {
        values.push_back(to_pixel(samples[i]));
      }
    }
  }

 private:
  std::uint32_t channels_;
  std::uint32_t skipped_;
};

template <class Value>
std::vector<Neighbour> find(const Dataset& dataset, std::span<const float> samples,
                            std::uint32_t k) {
  const Compared compared(dataset);
  const std::size_t size = dataset.shape().size();
  const std::size_t n_values = compared.size(size);
  std::vector<Value> ours;
  compared.take(samples, ours);
  const std::size_t n = samples.size() / size;
  std::vector<Neighbour> found(n * k);
  std::vector<Nearest> nearest;
  for (std::size_t i = 0; i < n; ++i) nearest.emplace_back(std::span(found).subspan(i * k, k));

  const auto n_piece = static_cast<std::uint32_t>(std::max<std::size_t>(1, kPieceValues / size));
  std::vector<float> read;
  std::vector<Value> theirs;
  for (std::uint32_t first = 0; first < dataset.n_train(); first += n_piece) {
    std::vector<std::uint32_t> indices(std::min(n_piece, dataset.n_train() - first));
    std::iota(indices.begin(), indices.end(), first);
    read.resize(indices.size() * size);
    dataset.read_train(indices, read);
    compared.take(read, theirs);
    for (std::size_t i = 0; i < n; ++i) {
      const auto own = std::span<const Value>(ours).subspan(i * n_values, n_values);
      for (std::size_t j = 0; j < indices.size(); ++j) {
        const auto other = std::span<const Value>(theirs).subspan(j * n_values, n_values);
        nearest[i].offer(indices[j], squared_distance(own, other, nearest[i].limit()));
      }
    }
  }
  for (Neighbour& neighbour : found) neighbour.distance = std::sqrt(neighbour.distance);
  return found;
}

}  // namespace

std::vector<Neighbour> nearest_training_samples(const Dataset& dataset,
                                                std::span<const float> samples, std::uint32_t k) {
  LIPIZZ_ASSERT(k >= 1 && k <= dataset.n_train());
  return dataset.kind() == SampleKind::kImage ? find<std::uint8_t>(dataset, samples, k)
                                              : find<float>(dataset, samples, k);
}

}  // namespace lipizz::data
