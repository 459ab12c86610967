// One generation of one cell at the published MNIST settings, beside its floor, on one core.
//
// The cell is the centre of a 3x3 torus, so that it has four distinct neighbours: 60,000 samples in
// batches of 100, the discriminator on every second batch, selection off, a score on 1,000 samples.
// The floor is the arithmetic of the training steps alone, 600 x 272.9 + 300 x 296.0 MFLOP, over
// the peak that is measured in the same run; everything else counts as overhead.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "coev/island.hpp"
#include "coev/migration/parameters.hpp"
#include "coev/rate_mutation/gaussian.hpp"
#include "coev/replacement/generational.hpp"
#include "coev/selection/none.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "data/dataset.hpp"
#include "median.hpp"
#include "metrics/scorer.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/cpu/peak.hpp"
#include "nn/exec/host_device.hpp"
#include "support.hpp"

namespace lipizz::bench {
namespace {

constexpr CellId kCentre{4};
constexpr grid::Torus kTorus{3, 3};
constexpr int kRounds = 7;
constexpr double kFloorFlops = 600 * 272.9e6 + 300 * 296.0e6;

coev::Settings published_settings() {
  coev::Settings s;
  s.discriminator.train_every = 2;
  s.operators.rate_mutation = {{coev::kGaussianRateMutation, {1e-4, 0.5}}, coev::Period::kBatch};
  s.operators.selection = coev::kNoSelection;
  s.operators.migration = coev::kParametersMigration;
  s.operators.replacement = coev::kGenerationalReplacement;
  s.operators.mixture = {coev::kEvolutionStrategyWeighting, {0.01, 1}};
  return s;
}

std::shared_ptr<const data::Dataset> open_data() {
  const char* folder = std::getenv("LIPIZZ_DATA_DIR");
  if (folder != nullptr) return data::open_dataset("mnist", {folder, 0});
  return data::open_dataset("glyphs", {});
}

// Publications of the seeded start.
void receive_neighbours(coev::Island& island, const coev::Island& neighbours) {
  for (const CellId cell : island.needs(kCentre, 1)) {
    island.receive(kCentre, cell, neighbours.publication(cell));
  }
}

struct Measured {
  std::vector<double> peaks, totals;
  std::map<std::string, std::vector<double>> routines;
};

// Every round is the first generation of a fresh cell.
template <class MakeIsland>
Measured measure(MakeIsland make_island, const coev::Island& neighbours) {
  Measured m;
  for (int round = 0; round < kRounds; ++round) {
    coev::Island island = make_island();
    receive_neighbours(island, neighbours);
    const double peak = nn::peak_flops_per_s();
    const double begin = thread_cpu_s();
    island.evolve(
        1, [](CellId) {}, [] { return true; });
    const auto reports = island.evaluate(1);
    m.totals.push_back(thread_cpu_s() - begin);
    m.peaks.push_back((peak + nn::peak_flops_per_s()) / 2);
    for (const auto& routine : reports[0].profile) {
      m.routines[routine.name].push_back(routine.seconds);
    }
  }
  return m;
}

void report(const data::Dataset& dataset, const Measured& m) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < m.totals.size(); ++i) {
    shares.push_back(kFloorFlops / m.peaks[i] / m.totals[i]);
  }
  std::printf("%s, peak %.1f GFLOP/s (%s), %d rounds\n", std::string(dataset.name()).c_str(),
              median(m.peaks) / 1e9, nn::peak_name(), kRounds);
  std::printf("%-16s %7.3f s\n", "floor", kFloorFlops / median(m.peaks));
  for (const auto& [name, seconds] : m.routines) {
    std::printf("%-16s %7.3f s\n", name.c_str(), median(seconds));
  }
  std::printf("%-16s %7.3f s  %.1f %% of its floor\n", "generation", median(m.totals),
              100 * median(shares));
}

void run(nn::Precision precision) {
  const nn::Engine engine = fastest_engine(precision);
  nn::prepare_compute_thread();
  nn::HostDevice device(engine);
  const auto dataset = open_data();
  const metrics::MetricEntry& metric = metrics::find_metric("auto", data::form_of(*dataset));
  const auto judge = metric.prepare_judge(*dataset, {}, {}, [](double) {});
  const auto scorer = metric.make_scorer(*dataset, judge, device);
  const coev::Settings settings = published_settings();
  const auto make_island = [&](std::vector<CellId> cells) {
    return coev::Island(settings, kTorus, std::move(cells), *dataset, *scorer, device);
  };
  const coev::Island neighbours = make_island(make_island({kCentre}).needs(kCentre, 1));
  report(*dataset, measure([&] { return make_island({kCentre}); }, neighbours));
}

}  // namespace
}  // namespace lipizz::bench

int main(int argc, char** argv) {
  try {
    lipizz::bench::run(lipizz::nn::parse_precision(argc > 1 ? argv[1] : "f32"));
  } catch (const lipizz::Error& error) {
    std::fprintf(stderr, "bench_generation: %s\n", error.what());
    return static_cast<int>(error.code());
  }
}
