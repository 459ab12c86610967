// One training step of a pair of networks beside its floor, on one core:
//
//     bench_step [MODEL [BATCH [PENALTY|none [PRECISION]]]]
//
// The published MNIST pair at batch 100, without a penalty and in f32 when not told.
//
// The floor is the arithmetic of the matrix products over the peak that this program measures in
// the same run; rounds of peaks and steps alternate, and the median of their ratios is reported. A
// step of one kind follows another of its kind, but for the last line, where both take turns, as in
// training: each then finds its weights and moments farther away.
// Where convolutions are filtered, two are told: of the products that define them, and of those
// that are left, with the transforms (in bf16 these are in single precision, over the same peak).
// In bf16 it is the peak of AVX-512's products of pairs. The roofline is the sum over all passes of
// all operations of the time to compute or the time to move memory, whichever is longer
// (arithmetic.hpp). With a penalty, how many times as long a discriminator's step takes with it as
// without, too.
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
    Floors sum = *this;
    sum.defined += other.defined;
    sum.made += other.made;
    return sum;
  }
};

// The best that this machine does in one round.
struct Machine {
  explicit Machine(nn::Precision precision)
      : products_per_s(nn::peak_flops_per_s(precision)),
        flops_per_s(precision == nn::Precision::kF32 ? products_per_s : nn::peak_flops_per_s()) {}

  double products_per_s;  // multiplications and additions, in that precision
  double flops_per_s;     // in single precision
  Bandwidth bandwidth;
};

Floors floors_of(const nn::Graph& graph, const nn::Engine& engine) {
  return {product_flops(graph), arithmetic_of(graph, engine)};
}

// A line with the medians of a floor in seconds and of the times of steps.
template <class Floor>
void report_line(const char* name, double mega, const char* unit, const std::vector<double>& times,
                 const std::vector<Machine>& machines, const Floor& floor_s) {
  std::vector<double> floors, shares;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    floors.push_back(floor_s(machines[i]));
    shares.push_back(floors[i] / times[i]);
  }
  std::printf("%-20s %8.1f %-6s floor %7.3f ms  step %7.3f ms  %5.1f %% of its floor\n", name, mega,
              unit, 1e3 * median(floors), 1e3 * median(times), 100 * median(shares));
}

void report(const char* name, const Floors& floors, const std::vector<Machine>& machines,
            const std::vector<double>& times) {
  const auto report_flops = [&](const char* what, double flops) {
    report_line(what, flops / 1e6, "MFLOP", times, machines,
                [&](const Machine& machine) { return flops / machine.products_per_s; });
  };
  report_flops(name, floors.defined);
  if (floors.made.transforms > 0) report_flops("as it is computed", floors.made.flops());
  report_line("roofline", floors.made.bytes() / 1e6, "MB", times, machines,
              [&](const Machine& machine) {
                return floors.made.roofline_s(machine.products_per_s, machine.flops_per_s,
                                              machine.bandwidth);
              });
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
  std::vector<Machine> machines;
  std::vector<double> g_times, d_times, pair_times;
  for (int round = 0; round < rounds; ++round) {
    machines.emplace_back(precision);
    train_generator();  // the caches have what measuring put there
    train_discriminator();
    g_times.push_back(seconds(steps, train_generator));
    d_times.push_back(seconds(steps, train_discriminator));
    pair_times.push_back(seconds(steps, [&] {
      train_generator();
      train_discriminator();
    }));
  }
  const Floors g_floors = floors_of(nn::generator_step_graph(gan, {}, batch).graph, engine);
  const Floors d_floors = floors_of(nn::discriminator_step_graph(gan, {}, batch).graph, engine);
  std::vector<double> peaks;
  for (const Machine& machine : machines) peaks.push_back(machine.products_per_s);
  std::printf("%s, engine %s, numerics %s, %s, peak %.1f GFLOP/s (%s), batch %u, %d rounds\n",
              model.c_str(), std::string(to_string(engine.backend)).c_str(),
              std::string(to_string(engine.level)).c_str(),
              std::string(to_string(precision)).c_str(), median(peaks) / 1e9,
              nn::peak_name(precision), batch, rounds);
  report("generator step", g_floors, machines, g_times);
  report("discriminator step", d_floors, machines, d_times);
  report("one of each in turn", g_floors + d_floors, machines, pair_times);
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
