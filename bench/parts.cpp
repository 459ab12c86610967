// The parts of a generation beside its training steps, each beside its floor, on one core:
//
//     bench_parts [MODEL]     of the published MNIST pair when not told
//
// The floor of what computes is the arithmetic of its products over the peak; of what hands a
// network on, the time of a copy of as many bytes. Both are measured in the same run: rounds of
// floor and part alternate, and the median of their ratios is reported.
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coev/fitness_evaluator.hpp"
#include "coev/publication.hpp"
#include "core/clock.hpp"
#include "median.hpp"
#include "metrics/classifier.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/cpu/peak.hpp"
#include "nn/exec/host_device.hpp"
#include "noise_images.hpp"
#include "support.hpp"
#include "untrained_judge.hpp"
#include "worker/cell_file.hpp"

namespace lipizz::bench {
namespace {

constexpr int kRounds = 15;
constexpr std::uint32_t kMembers = 5;     // of a neighbourhood
constexpr std::uint32_t kSamples = 1000;  // of a score

double seconds(const std::function<void()>& work) {
  const double begin = thread_cpu_s();
  work();
  return thread_cpu_s() - begin;
}

void report(const char* name, const std::string& arithmetic, const std::function<double()>& floor_s,
            const std::function<void()>& part) {
  part();  // the first one prepares what it uses
  std::vector<double> floors, times, shares;
  for (int round = 0; round < kRounds; ++round) {
    floors.push_back(floor_s());
    times.push_back(seconds(part));
    shares.push_back(floors.back() / times.back());
  }
  std::printf("%-36s %-24s floor %8.3f ms  took %8.3f ms  %5.1f %% of its floor\n", name,
              arithmetic.c_str(), 1e3 * median(floors), 1e3 * median(times), 100 * median(shares));
}

void report_flops(const char* name, double flops, const std::function<void()>& part) {
  report(
      name, std::to_string(static_cast<long>(flops / 1e6)) + " MFLOP",
      [flops] { return flops / nn::peak_flops_per_s(); }, part);
}

void report_bytes(const char* name, std::size_t n, const std::function<void()>& part) {
  std::vector<char> from(n, 1), to(n);
  report(
      name, std::to_string(n / 1000) + " kB copied",
      [&] { return seconds([&] { std::memcpy(to.data(), from.data(), n); }); }, part);
}

void run_fitness(nn::HostDevice& device, const coev::Settings& settings,
                 const data::Dataset& dataset) {
  coev::FitnessEvaluator evaluator(device, settings, dataset);
  const coev::Cell cell = coev::make_cell(settings, {0});
  const std::vector<std::span<const float>> generators(kMembers, cell.centre.generator.parameters);
  const std::vector<std::span<const float>> discriminators(kMembers,
                                                           cell.centre.discriminator.parameters);
  const std::uint32_t n = settings.operators.fitness.n_samples;
  report_flops("fitness of five against five", fitness_flops(settings.model, kMembers, n), [&] {
    evaluator.draw_batch({0}, 1, n);
    evaluator.all_pairs(generators, discriminators);
  });
}

void run_features(nn::HostDevice& device, const data::Dataset& dataset) {
  metrics::ClassifierFeatures features = untrained_judge(device, dataset);
  const nn::NetworkSpec network = metrics::classifier_network(dataset);
  std::vector<std::uint32_t> indices(kSamples);
  for (std::uint32_t i = 0; i < kSamples; ++i) indices[i] = i % dataset.n_train();
  std::vector<float> samples(kSamples * dataset.shape().size());
  dataset.read_train(indices, samples);
  std::vector<float> rows(kSamples * (features.n_values() + 1));
  const auto n_layers = static_cast<std::uint32_t>(network.layers.size() - 1);
  report_flops("the judge's features of a score", pass_flops(network, kSamples, n_layers),
               [&] { features.compute(samples, rows); });
}

void run_publication(const coev::Settings& settings) {
  const coev::Cell cell = coev::make_cell(settings, {0});
  const std::size_t n = coev::publication_bytes(settings);
  Bytes written;
  report_bytes("a publication written", n,
               [&] { written = coev::write_publication(cell, settings); });
  coev::Pair pair = cell.centre;
  const coev::PerRole<coev::GenomeShape> shapes = coev::genome_shapes(settings);
  report_bytes("a publication read", n, [&] { coev::read_publication(written, shapes, pair); });
  std::optional<coev::CellState> copied;
  report_bytes("a state copied", coev::pair_bytes(settings).state, [&] { copied = cell; });
  Bytes encoded;
  report_bytes("a state encoded", coev::pair_bytes(settings).state,
               [&] { encoded = worker::encode_cell(settings, cell, {}); });
}

void run(const std::string& model) {
  const nn::Engine engine = fix_fastest_engine();
  nn::prepare_compute_thread();
  nn::HostDevice device(engine);
  const NoiseImages dataset;
  coev::Settings settings;
  settings.model = nn::make_model(model);
  std::printf("%s, engine %s, numerics %s, peak %.1f GFLOP/s (%s), %d rounds\n", model.c_str(),
              std::string(to_string(engine.backend)).c_str(),
              std::string(to_string(engine.level)).c_str(), nn::peak_flops_per_s() / 1e9,
              nn::peak_name(), kRounds);
  run_fitness(device, settings, dataset);
  run_features(device, dataset);
  run_publication(settings);
}

}  // namespace
}  // namespace lipizz::bench

int main(int argc, char** argv) {
  try {
    lipizz::bench::run(argc > 1 ? argv[1] : "mlp");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_parts: %s\n", error.what());
    return 2;
  }
}
