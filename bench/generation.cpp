// A generation of a cell at the published MNIST settings, beside its floor, on one core: of a cell
// alone, of one with four neighbours, as the centre of a 3x3 torus has them, and of the same with
// selection, for which five generators and five discriminators are compared on 1,000 samples.
//
//     bench_generation [PRECISION]
//
// 60,000 samples in batches of 100, the discriminator on every second batch, a score on 1,000
// samples, with neighbours of a mixture whose weights are searched. The floor is the arithmetic of
// the training steps, 600 x 272.9 + 300 x 296.0 MFLOP, and of the fitness, over the peak that is
// measured in the same run; everything else counts as overhead.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "coev/island.hpp"
#include "coev/migration/genomes.hpp"
#include "coev/migration/parameters.hpp"
#include "coev/rate_mutation/gaussian.hpp"
#include "coev/replacement/generational.hpp"
#include "coev/selection/none.hpp"
#include "coev/selection/tournament.hpp"
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

constexpr int kRounds = 7;
constexpr double kTrainingFlops = 600 * 272.9e6 + 300 * 296.0e6;
constexpr std::uint32_t kMembers = 5;  // of a neighbourhood

struct Case {
  const char* name;
  grid::Torus torus;
  CellId cell;
  bool selects;
};

constexpr Case kCases[] = {
    {"a cell alone", {1, 1}, {0}, false},
    {"with four neighbours", {3, 3}, {4}, false},
    {"with selection, too", {3, 3}, {4}, true},
};

coev::Settings published_settings(bool selects) {
  coev::Settings s;
  s.discriminator.train_every = 2;
  s.operators.rate_mutation = {{coev::kGaussianRateMutation, {1e-4, 0.5}}, coev::Period::kBatch};
  s.operators.selection = selects ? coev::kTournamentSelection : coev::kNoSelection;
  s.operators.migration = selects ? coev::kGenomesMigration : coev::kParametersMigration;
  s.operators.replacement = coev::kGenerationalReplacement;
  s.operators.mixture = {coev::kEvolutionStrategyWeighting, {0.01, 1}};
  return s;
}

std::shared_ptr<const data::Dataset> open_data() {
  const char* folder = std::getenv("LIPIZZ_DATA_DIR");
  if (folder != nullptr) return data::open_dataset("mnist", {folder, 0});
  return data::open_dataset("glyphs", {});
}

double floor_flops(const coev::Settings& settings, const Case& of) {
  if (!of.selects) return kTrainingFlops;
  return kTrainingFlops +
         fitness_flops(settings.model, kMembers, settings.operators.fitness.n_samples);
}

// Publications of the seeded start.
void receive_neighbours(coev::Island& island, CellId cell, const coev::Island& neighbours) {
  for (const CellId neighbour : island.needs(cell, 1)) {
    island.receive(cell, neighbour, neighbours.publication(neighbour));
  }
}

struct Measured {
  std::vector<double> peaks, totals;
  std::map<std::string, std::vector<double>> routines;
};

// Every round is the first generation of a fresh cell.
template <class MakeIsland>
Measured measure(MakeIsland make_island, const Case& of, const coev::Island& neighbours,
                 nn::Precision precision) {
  Measured m;
  for (int round = 0; round < kRounds; ++round) {
    coev::Island island = make_island({of.cell});
    receive_neighbours(island, of.cell, neighbours);
    const double peak = nn::peak_flops_per_s(precision);
    const double begin = thread_cpu_s();
    island.evolve(
        1, [](CellId) {}, [] { return true; });
    const auto reports = island.evaluate(1);
    m.totals.push_back(thread_cpu_s() - begin);
    m.peaks.push_back((peak + nn::peak_flops_per_s(precision)) / 2);
    for (const auto& routine : reports[0].profile) {
      m.routines[routine.name].push_back(routine.seconds);
    }
  }
  return m;
}

void report(const Case& of, double flops, const Measured& m) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < m.totals.size(); ++i) {
    shares.push_back(flops / m.peaks[i] / m.totals[i]);
  }
  std::printf("%s:\n%-16s %7.3f s\n", of.name, "floor", flops / median(m.peaks));
  for (const auto& [name, seconds] : m.routines) {
    std::printf("%-16s %7.3f s\n", name.c_str(), median(seconds));
  }
  std::printf("%-16s %7.3f s  %.1f %% of its floor\n", "generation", median(m.totals),
              100 * median(shares));
}

void run(nn::Precision precision) {
  const nn::Engine engine = fix_fastest_engine(precision);
  nn::prepare_compute_thread();
  nn::HostDevice device(engine);
  const auto dataset = open_data();
  const metrics::MetricEntry& metric = metrics::find_metric("auto", data::form_of(*dataset));
  const auto judge = metric.prepare_judge(*dataset, {}, {}, [](double) {});
  const auto scorer = metric.make_scorer(*dataset, judge, device);
  std::printf("%s, peak %.1f GFLOP/s (%s), %d rounds\n", std::string(dataset->name()).c_str(),
              nn::peak_flops_per_s(precision) / 1e9, nn::peak_name(precision), kRounds);
  for (const Case& of : kCases) {
    const coev::Settings settings = published_settings(of.selects);
    const auto make_island = [&](std::vector<CellId> cells) {
      return coev::Island(settings, of.torus, std::move(cells), *dataset, *scorer, device);
    };
    std::vector<CellId> published = make_island({of.cell}).needs(of.cell, 1);
    if (published.empty()) published = {of.cell};  // an island has a cell
    const coev::Island neighbours = make_island(published);
    report(of, floor_flops(settings, of), measure(make_island, of, neighbours, precision));
  }
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
