// Training steps of a pair of networks in micro-batches, on one thread and on more:
//
//     bench_threads [MODEL [BATCH [MICRO_BATCHES]]]
//
// DCGAN-28 at batch 64 in as many micro-batches as there are cores when not told. Rounds of whole
// batches on one thread and of micro-batches on each number of threads alternate; the medians of
// their ratios by the clock are reported, and the memory of a discriminator's step.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "median.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/host_device.hpp"
#include "nn/train/program_memory.hpp"
#include "nn/train/timing_run.hpp"
#include "support.hpp"

namespace lipizz::bench {
namespace {

constexpr int kRounds = 7;
constexpr double kRound_s = 0.2;  // about

// Both steps of a pair, cut into so many micro-batches.
class Case {
 public:
  Case(nn::Engine engine, const nn::GanSpec& gan, std::uint32_t batch,
       std::uint32_t n_micro_batches, std::uint32_t n_threads)
      : n_threads_(n_threads),
        device_(with_threads(engine, n_threads)),
        options_{.n_micro_batches = n_micro_batches},
        run_(device_, gan, batch, 1,
             {.generator_options = options_, .discriminator_options = options_}),
        arena_(
            nn::discriminator_step_bytes(device_.engine(), gan, {}, batch, options_).of_arenas()) {}

  double seconds(int n) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < n; ++i) {
      run_.train_generators();
      run_.train_discriminators();
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / n;
  }

  void report(const std::vector<double>& ratios) const {
    std::printf("%2u micro-batches on %2u threads  %5.2f times as fast  %8.1f MB of arenas\n",
                options_.n_micro_batches, n_threads_, median(ratios),
                static_cast<double>(arena_) / 1e6);
  }

 private:
  static nn::Engine with_threads(nn::Engine engine, std::uint32_t n_threads) {
    engine.n_threads = n_threads;
    return engine;
  }

  std::uint32_t n_threads_;
  nn::HostDevice device_;
  nn::StepOptions options_;
  nn::TimingRun run_;
  std::size_t arena_;
};

void run(const std::string& model, std::uint32_t batch, std::uint32_t n_micro_batches) {
  const nn::Engine engine = fix_fastest_engine(nn::Precision::kF32);
  nn::prepare_compute_thread();
  const nn::GanSpec gan = nn::make_model(model);
  Case whole(engine, gan, batch, 1, 1);
  std::vector<std::unique_ptr<Case>> cases;
  for (std::uint32_t n = 1; n <= n_micro_batches; n = std::min(2 * n, n_micro_batches)) {
    cases.push_back(std::make_unique<Case>(engine, gan, batch, n_micro_batches, n));
    if (n == n_micro_batches) break;
  }
  const int steps = std::max(1, static_cast<int>(kRound_s / whole.seconds(1)));
  std::vector<std::vector<double>> ratios(cases.size());
  for (int round = 0; round < kRounds; ++round) {
    const double of_whole = whole.seconds(steps);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      ratios[i].push_back(of_whole / cases[i]->seconds(steps));
    }
  }
  std::printf(
      "%s, engine %s, numerics %s, batch %u, %d rounds, beside whole batches on one thread\n",
      model.c_str(), std::string(to_string(engine.backend)).c_str(),
      std::string(to_string(engine.level)).c_str(), batch, kRounds);
  whole.report({1});
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i]->report(ratios[i]);
}

}  // namespace
}  // namespace lipizz::bench

int main(int argc, char** argv) {
  try {
    lipizz::bench::run(argc > 1 ? argv[1] : "dcgan28",
                       lipizz::bench::number_argument(argc, argv, 2, 64),
                       lipizz::bench::number_argument(
                           argc, argv, 3, std::max(1U, std::thread::hardware_concurrency())));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_threads: %s\n", error.what());
    return 2;
  }
}
