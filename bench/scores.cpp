// Scores of 50,000 features of 128 values against as many, on one core, beside their floors.
//
// The floors are the arithmetic alone, over the peak that is measured in the same run: of fused
// multiply-adds in single precision for the pairs of the manifold's first pass, and a quarter of it
// for what is in double, unfused so that its bits are the same everywhere.
#include <cstdio>
#include <functional>
#include <vector>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "median.hpp"
#include "metrics/feature_scores.hpp"
#include "metrics/kernel_distance.hpp"
#include "metrics/manifold.hpp"
#include "nn/cpu/peak.hpp"

namespace lipizz::bench {
namespace {

constexpr std::uint32_t kRows = 50'000;
constexpr std::uint32_t kValues = 128;
constexpr int kRounds = 5;

std::vector<float> features(std::uint64_t seed, float scale) {
  std::vector<float> values(std::size_t{kRows} * kValues);
  Random(seed, Purpose::kTest).normals(0, kRows, kValues, values);
  for (float& value : values) value *= scale;
  return values;
}

struct Case {
  const char* name;
  double flops;  // at the peak of `share` of the fused single precision one
  double share;
  std::function<double()> run;
};

void report(const Case& measured) {
  std::vector<double> floors;
  std::vector<double> totals;
  double value = 0;
  for (int round = 0; round < kRounds; ++round) {
    floors.push_back(measured.flops / (nn::peak_flops_per_s() * measured.share));
    const double begin = thread_cpu_s();
    value = measured.run();
    totals.push_back(thread_cpu_s() - begin);
  }
  std::printf("%-10s floor %6.3f s  took %6.3f s  (%.6g)\n", measured.name, median(floors),
              median(totals), value);
}

void run() {
  const std::vector<float> a = features(1, 1);
  const std::vector<float> b = features(2, 1.1f);
  const metrics::FeatureRows real{a, kValues};
  const metrics::FeatureRows made{b, kValues};
  const double n = kRows;
  const double d = kValues;
  const double m = metrics::kMostManifoldRows;
  const double block = metrics::kMostKernelBlockRows;
  std::printf("%u x %u features, peak %.1f GFLOP/s (%s)\n", kRows, kValues,
              nn::peak_flops_per_s() / 1e9, nn::peak_name());
  report({"frechet", 2 * n * d * (d + 1), 0.25,
          [&] { return metrics::frechet_distance(real, made).value; }});
  report({"kernel", n / block * 2 * block * block * 2 * d, 0.25,
          [&] { return metrics::kernel_distance(real, made).value; }});
  report({"manifold", 2 * m * m * 2 * d, 1,
          [&] { return metrics::manifold(real, made).coverage.value; }});
  report({"all", 0, 1, [&] { return metrics::score_features(real, made).front().value; }});
}

}  // namespace
}  // namespace lipizz::bench

int main() {
  lipizz::bench::run();
}
