// Steps of several cells at once on a device, beside their floors:
//
//     bench_cells DEVICE [MODEL [BATCH [CELLS [PRECISION]]]]
//
// A round is one step of each cell's generator and one of its discriminator. The floors are what a
// device with `peak_flops` and `kBytesPerS` would take for the products, and for reading and
// writing parameters, gradients and moments once: those of an H200.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "arithmetic.hpp"
#include "core/clock.hpp"
#include "median.hpp"
#include "nn/base/precision.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/devices.hpp"
#include "nn/network/network.hpp"
#include "nn/train/step_graphs.hpp"
#include "nn/train/timing_run.hpp"
#include "support.hpp"

namespace lipizz::bench {
namespace {

constexpr double kBytesPerS = 4.3e12;
constexpr int kRounds = 9;
constexpr double kRound_s = 0.1;  // about

double peak_flops(nn::Precision precision) {
  switch (precision) {
    case nn::Precision::kF32:
      return 60e12;
    case nn::Precision::kTf32:
      return 400e12;  // about; 494 dense by its makers
    case nn::Precision::kBf16:
      return 790e12;  // measured, 989 dense by its makers
  }
  return 0;
}

struct Measured {
  double round_s;  // of a step of each network of all cells
  float loss;      // of the first cell's discriminator
  std::size_t n_launches;
};

Measured measure(nn::Device& device, const nn::GanSpec& gan, std::uint32_t batch,
                 std::uint32_t n_cells) {
  const SystemClock clock;
  nn::TimingRun run(device, gan, batch, n_cells);
  const auto rounds = [&](int n) { return run.seconds(n, clock) / n; };
  const int n = std::max(1, static_cast<int>(kRound_s / rounds(2)));
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) times.push_back(rounds(n));
  return {median(times), run.loss(0), run.n_launches()};
}

void run(const std::string& name, const std::string& model, std::uint32_t batch,
         std::uint32_t n_cells, nn::Precision precision) {
  const nn::Engine engine = fix_fastest_engine(name == "cpu" ? precision : nn::Precision::kF32);
  nn::prepare_compute_thread();
  const auto device = nn::open_device(name, engine, precision);
  const nn::GanSpec gan = nn::make_model(model);
  const Measured measured = measure(*device, gan, batch, n_cells);
  const double flops =
      n_cells * (product_flops(nn::generator_step_graph(gan, {}, batch).graph) +
                 product_flops(nn::discriminator_step_graph(gan, {}, batch).graph));
  // Parameters and two moments read and written, the opponent's parameters read, in floats.
  const double n_parameters =
      static_cast<double>(nn::parameter_layout(gan.generator).n_parameters +
                          nn::parameter_layout(gan.discriminator).n_parameters);
  const double bytes = n_cells * n_parameters * 7 * sizeof(float);
  const double peak = peak_flops(precision);
  std::printf(
      "%s on %s in %s, batch %u, %u cells: %.3f ms a round (%.4f ms a cell), %.0f GFLOP/s\n",
      model.c_str(), name.c_str(), std::string(to_string(precision)).c_str(), batch, n_cells,
      1e3 * measured.round_s, 1e3 * measured.round_s / n_cells, flops / measured.round_s / 1e9);
  std::printf(
      "floors: %.3f ms by operations (%.0f TFLOP/s), %.3f ms by bytes; %zu launches; loss of cell "
      "0: %.4f\n",
      1e3 * flops / peak, peak / 1e12, 1e3 * bytes / kBytesPerS, measured.n_launches,
      static_cast<double>(measured.loss));
}

}  // namespace
}  // namespace lipizz::bench

int main(int argc, char** argv) {
  try {
    lipizz::bench::run(argc > 1 ? argv[1] : "cpu", argc > 2 ? argv[2] : "mlp",
                       lipizz::bench::number_argument(argc, argv, 3, 100),
                       lipizz::bench::number_argument(argc, argv, 4, 16),
                       lipizz::nn::parse_precision(argc > 5 ? argv[5] : "f32"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_cells: %s\n", error.what());
    return 2;
  }
}
