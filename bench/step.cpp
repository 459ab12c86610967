// One training step of a pair of networks beside its floor, on one core:
//
//     bench_step [MODEL [BATCH [PENALTY|none [PRECISION]]]]
//
// The published MNIST pair at batch 100, without a penalty and in f32 when not told.
//
// The floor is the arithmetic of the matrix products over the peak that this program measures in
// the same run; rounds of peak and steps alternate, and the median of their ratios is reported. A
// step of one kind follows another of its kind, but for the last line, where both take turns, as in
// training: each then finds its weights and moments farther away.
// Where convolutions are filtered, two are told: of the products that define them, and of those
// that are left, with the transforms (in bf16 these are in single precision, over the same peak).
// In bf16 it is the peak of AVX-512's products of pairs. With a penalty, how many times as long a
// discriminator's step takes with it as without, too.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "arithmetic.hpp"
#include "core/clock.hpp"
#include "median.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/cpu/peak.hpp"
#include "nn/exec/host_device.hpp"
#include "nn/train/step_graphs.hpp"
#include "nn/train/timing_run.hpp"
#include "support.hpp"

namespace lipizz::bench {
namespace {

constexpr std::uint32_t kDefaultBatch = 100;
constexpr int kRounds = 41;
constexpr double kRound_s = 0.07;  // about
constexpr int kMinRounds = 5;
constexpr double kSlowStep_s = 0.3;  // from which on fewer rounds have to do

// CPU seconds of one call.
template <class Work>
double seconds(int n, Work work) {
  const double begin = thread_cpu_s();
  for (int i = 0; i < n; ++i) work();
  return (thread_cpu_s() - begin) / n;
}

struct Floors {
  double defined = 0;  // products, in multiplications and additions
  Arithmetic made;

  Floors operator+(const Floors& other) const {
    return {defined + other.defined,
            {made.products + other.made.products, made.transforms + other.made.transforms}};
  }
};

Floors floors_of(const nn::Graph& graph, const nn::Engine& engine) {
  return {product_flops(graph), arithmetic_of(graph, engine)};
}

double share_of_floor(double flops, const std::vector<double>& peaks,
                      const std::vector<double>& times) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < peaks.size(); ++i) shares.push_back(flops / peaks[i] / times[i]);
  return 100 * median(shares);
}

void report(const char* name, const Floors& floors, const std::vector<double>& peaks,
            const std::vector<double>& times) {
  std::printf("%-20s %8.1f MFLOP  floor %6.3f ms  step %6.3f ms  %5.1f %% of its floor\n", name,
              floors.defined / 1e6, 1e3 * floors.defined / median(peaks), 1e3 * median(times),
              share_of_floor(floors.defined, peaks, times));
  const Arithmetic& made = floors.made;
  if (made.transforms == 0) return;
  std::printf("%-20s %8.1f MFLOP  floor %6.3f ms  step %6.3f ms  %5.1f %% of its floor\n",
              "as it is computed", made.flops() / 1e6, 1e3 * made.flops() / median(peaks),
              1e3 * median(times), share_of_floor(made.flops(), peaks, times));
}

void run(const std::string& model, std::uint32_t batch, nn::Precision precision) {
  const nn::Engine engine = fix_fastest_engine(precision);
  nn::prepare_compute_thread();
  const nn::GanSpec gan = nn::make_model(model);
  nn::HostDevice device(engine);
  nn::TimingRun run(device, gan, batch, 1);
  const auto train_generator = [&] { run.train_generators(); };
  const auto train_discriminator = [&] { run.train_discriminators(); };
  const double slowest_s = seconds(1, train_discriminator);
  const int steps = std::max(1, static_cast<int>(kRound_s / slowest_s));
  const int rounds = slowest_s > kSlowStep_s ? kMinRounds : kRounds;
  std::vector<double> peaks, g_times, d_times, pair_times;
  for (int round = 0; round < rounds; ++round) {
    peaks.push_back(nn::peak_flops_per_s(precision));
    g_times.push_back(seconds(steps, train_generator));
    d_times.push_back(seconds(steps, train_discriminator));
    pair_times.push_back(seconds(steps, [&] {
      train_generator();
      train_discriminator();
    }));
  }
  const Floors g_floors = floors_of(nn::generator_step_graph(gan, {}, batch).graph, engine);
  const Floors d_floors = floors_of(nn::discriminator_step_graph(gan, {}, batch).graph, engine);
  std::printf("%s, engine %s, numerics %s, %s, peak %.1f GFLOP/s (%s), batch %u, %d rounds\n",
              model.c_str(), std::string(to_string(engine.backend)).c_str(),
              std::string(to_string(engine.level)).c_str(),
              std::string(to_string(precision)).c_str(), median(peaks) / 1e9,
              nn::peak_name(precision), batch, rounds);
  report("generator step", g_floors, peaks, g_times);
  report("discriminator step", d_floors, peaks, d_times);
  report("one of each in turn", g_floors + d_floors, peaks, pair_times);
}

// Rounds of steps with and without the penalty alternate.
void run_penalty(const std::string& model, std::uint32_t batch, const nn::Penalty& penalty,
                 nn::Precision precision) {
  const nn::GanSpec gan = nn::make_model(model);
  nn::HostDevice device(fix_fastest_engine(precision));
  const nn::StepOptions options{.penalty = &penalty};
  nn::TimingRun without(device, gan, batch, 1);
  nn::TimingRun with(device, gan, batch, 1,
                     {.generator_options = options, .discriminator_options = options});
  std::vector<double> ratios;
  for (int round = 0; round < kMinRounds; ++round) {
    const double plain = seconds(1, [&] { without.train_discriminators(); });
    ratios.push_back(seconds(1, [&] { with.train_discriminators(); }) / plain);
  }
  const double plain = product_flops(nn::discriminator_step_graph(gan, {}, batch).graph);
  const double penalised =
      product_flops(nn::discriminator_step_graph(gan, {}, batch, options).graph);
  std::printf("with the penalty %s  %.2f times the discriminator step, %.2f times its arithmetic\n",
              std::string(penalty.name).c_str(), median(ratios), penalised / plain);
}

}  // namespace
}  // namespace lipizz::bench

int main(int argc, char** argv) {
  try {
    const std::string model = argc > 1 ? argv[1] : "mlp";
    const std::uint32_t batch =
        lipizz::bench::number_argument(argc, argv, 2, lipizz::bench::kDefaultBatch);
    const std::string penalty = argc > 3 ? argv[3] : "none";
    const auto precision = lipizz::nn::parse_precision(argc > 4 ? argv[4] : "f32");
    lipizz::bench::run(model, batch, precision);
    if (penalty == "none") return 0;
    lipizz::bench::run_penalty(model, batch, lipizz::nn::find_penalty(penalty), precision);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_step: %s\n", error.what());
    return 2;
  }
}
