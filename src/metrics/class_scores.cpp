#include "metrics/class_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "core/finite.hpp"
#include "core/math.hpp"
#include "metrics/sample_error.hpp"

namespace lipizz::metrics {
namespace {

double p_log_p(double p) {
  return p > std::numeric_limits<double>::min() ? p * math::portable_log(p) : p * 0;
}

// Sums over some rows: of p log p over all classes, and of each class's p.
struct ProbabilitySums {
  explicit ProbabilitySums(std::size_t n_classes) : of_class(n_classes) {}

  void add(const FeatureRows& rows) {
    n_rows += static_cast<double>(rows.size());
    for (std::size_t i = 0; i < rows.values.size(); ++i) {
      negative_entropy += p_log_p(rows.values[i]);
      of_class[i % of_class.size()] += rows.values[i];
    }
  }
  void remove(const ProbabilitySums& other) {
    n_rows -= other.n_rows;
    negative_entropy -= other.negative_entropy;
    for (std::size_t c = 0; c < of_class.size(); ++c) of_class[c] -= other.of_class[c];
  }
  [[nodiscard]] double score() const {
    double divergence = negative_entropy / n_rows;
    for (const double sum : of_class) divergence -= p_log_p(sum / n_rows);
    return math::portable_exp(std::max(divergence, 0.0));
  }

  double n_rows = 0;
  double negative_entropy = 0;
  std::vector<double> of_class;
};

}  // namespace

double total_variation(std::span<const double> p, std::span<const double> q) {
  LIPIZZ_ASSERT(p.size() == q.size());
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::abs(p[i] - q[i]);
  return sum / 2;
}

double kullback_leibler(std::span<const double> p, std::span<const double> q) {
  LIPIZZ_ASSERT(p.size() == q.size());
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0 && !(q[i] > 0)) return std::numeric_limits<double>::infinity();
    if (p[i] > 0) sum += p[i] * math::portable_log(p[i] / q[i]);
  }
  return std::max(sum, 0.0);
}

double kullback_leibler_to_uniform(std::span<const double> p) {
  return kullback_leibler(p, std::vector<double>(p.size(), 1 / static_cast<double>(p.size())));
}

double jensen_shannon(std::span<const double> p, std::span<const double> q) {
  std::vector<double> middle(p.begin(), p.end());
  for (std::size_t i = 0; i < middle.size(); ++i) middle[i] = (p[i] + q[i]) / 2;
  return (kullback_leibler(p, middle) + kullback_leibler(q, middle)) / 2;
}

std::size_t n_present(std::span<const double> shares) {
  return static_cast<std::size_t>(std::ranges::count_if(shares, [](double s) { return s > 0; }));
}

Estimate inception_score(const FeatureRows& probabilities) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (!all_finite(probabilities.values)) return {kNan, kNan};
  const std::vector<RowBlock> blocks = jackknife_blocks(probabilities.size());
  ProbabilitySums all(probabilities.n_values);
  std::vector<ProbabilitySums> parts;
  for (const RowBlock& block : blocks) {
    parts.emplace_back(probabilities.n_values).add(probabilities.part(block.begin, block.n_rows));
    all.add(probabilities.part(block.begin, block.n_rows));
  }
  std::vector<double> without;
  for (const ProbabilitySums& part : parts) {
    ProbabilitySums rest = all;
    rest.remove(part);
    if (blocks.size() > 1) without.push_back(rest.score());
  }
  return {all.score(), jackknife_error(without)};
}

void softmax_rows(std::span<float> logits, std::size_t n_classes) {
  for (; !logits.empty(); logits = logits.subspan(n_classes)) {
    const auto row = logits.first(n_classes);
    const float largest = *std::ranges::max_element(row);
    double sum = 0;
    for (const float logit : row) sum += math::portable_exp(double{logit} - largest);
    for (float& value : row) {
      value = static_cast<float>(math::portable_exp(double{value} - largest) / sum);
    }
  }
}

}  // namespace lipizz::metrics
