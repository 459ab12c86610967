// One training step of the published MNIST pair at batch 100 beside its floor, on one core.
//
// The floor is the arithmetic of the matrix products over the peak that this program measures in
// the same run; rounds of peak and steps alternate, and the median of their ratios is reported.
#include <cstdio>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "median.hpp"
#include "nn/buffer.hpp"
#include "nn/programs.hpp"
#include "nn/training_graphs.hpp"
#include "peak.hpp"

namespace lipizz::bench {
namespace {

constexpr std::uint32_t kBatch = 100;
constexpr int kRounds = 41;
constexpr int kStepsPerRound = 20;

struct Network {
  explicit Network(const nn::NetworkSpec& spec)
      : parameters(nn::parameter_layout(spec).n_padded), moments(2 * parameters.size()) {
    nn::initialise(spec, Random(1, Purpose::kTest), parameters);
  }
  nn::Buffer<float> parameters, moments;
};

// CPU seconds of one call.
template <class Work>
double seconds(int n, Work work) {
  const double begin = thread_cpu_s();
  for (int i = 0; i < n; ++i) work();
  return (thread_cpu_s() - begin) / n;
}

void report(const char* name, double flops, const std::vector<double>& peaks,
            const std::vector<double>& times) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < peaks.size(); ++i) shares.push_back(flops / peaks[i] / times[i]);
  std::printf("%-20s %8.1f MFLOP  floor %6.3f ms  step %6.3f ms  %5.1f %% of its floor\n", name,
              flops / 1e6, 1e3 * flops / median(peaks), 1e3 * median(times), 100 * median(shares));
}

void run() {
  nn::Engine engine{nn::Backend::kReference, nn::NumericsLevel::kBaseline};
  if (nn::is_available(nn::Backend::kOneDnn)) {
    engine = {nn::Backend::kOneDnn, nn::detect_numerics_level()};
  }
  nn::fix_numerics(engine);
  nn::prepare_compute_thread();
  const nn::GanSpec gan = nn::make_model("mlp");
  Network g(gan.generator);
  Network d(gan.discriminator);
  nn::GeneratorStep g_step(engine, gan, {}, kBatch, 1);
  nn::DiscriminatorStep d_step(engine, gan, {}, kBatch, 1);
  const Random random(2, Purpose::kTest);
  random.normals(0, kBatch, gan.sample(), d_step.real(0));
  std::uint32_t step = 0;
  const auto train_generator = [&] {
    g_step.bind(0, {g.parameters, g.moments, 2e-4f, 0, step}, d.parameters);
    random.normals(step++ * kBatch, kBatch, gan.latent(), g_step.noise(0));
    g_step.run();
  };
  const auto train_discriminator = [&] {
    d_step.bind(0, {d.parameters, d.moments, 2e-4f, 0, step}, g.parameters);
    random.normals(step++ * kBatch, kBatch, gan.latent(), d_step.noise(0));
    d_step.run();
  };
  std::vector<double> peaks, g_times, d_times, pair_times;
  for (int round = 0; round < kRounds; ++round) {
    peaks.push_back(peak_flops_per_s());
    g_times.push_back(seconds(kStepsPerRound, train_generator));
    d_times.push_back(seconds(kStepsPerRound, train_discriminator));
    pair_times.push_back(g_times.back() + d_times.back());
  }
  const auto g_flops = 272.9e6;  // the floor as stated for the published settings
  const auto d_flops = 296.0e6;
  std::printf("engine %s, numerics %s, peak %.1f GFLOP/s (%s), batch %u, %d rounds\n",
              std::string(to_string(engine.backend)).c_str(),
              std::string(to_string(engine.level)).c_str(), median(peaks) / 1e9, peak_name(),
              kBatch, kRounds);
  report("generator step", g_flops, peaks, g_times);
  report("discriminator step", d_flops, peaks, d_times);
  report("one of each", g_flops + d_flops, peaks, pair_times);
}

}  // namespace
}  // namespace lipizz::bench

int main() {
  lipizz::bench::run();
}
