#include "setup/speed.hpp"

#include <algorithm>

#include "nn/train/timing_run.hpp"

namespace lipizz::setup {
namespace {

constexpr double kEnough_s = 0.1;
constexpr int kMostBatches = 1024;
constexpr std::uint32_t kMostCells = 16;  // what takes a device's memory a run would not need

double batch_s(nn::Device& device, const coev::Settings& settings, std::uint32_t n_cells,
               const Clock& clock) {
  nn::TimingRun timing_run(device, settings.model, settings.batch_size, n_cells,
                           {settings.generator.optimizer, settings.discriminator.optimizer,
                            coev::step_options(settings, coev::NetworkRole::kGenerator),
                            coev::step_options(settings, coev::NetworkRole::kDiscriminator)});
  timing_run.seconds(1, clock);  // whatever is prepared only once is prepared here
  int n = 1;
  double spent_s = timing_run.seconds(n, clock);
  while (spent_s < kEnough_s && n < kMostBatches) spent_s = timing_run.seconds(n *= 2, clock);
  return spent_s / n;
}

}  // namespace

Speed measure_speed(nn::Device& device, const coev::Settings& settings, std::uint32_t n_cells,
                    const Clock& clock) {
  const double alone_s = batch_s(device, settings, 1, clock);
  if (device.is_host()) return {.fixed_s = 0, .per_cell_s = alone_s};
  const std::uint32_t n = std::min(n_cells, kMostCells);
  if (n == 1) return {.fixed_s = alone_s, .per_cell_s = 0};
  const double together_s = batch_s(device, settings, n, clock);
  const double per_cell_s = std::max(0.0, (together_s - alone_s) / (n - 1));
  return {.fixed_s = std::max(0.0, alone_s - per_cell_s), .per_cell_s = per_cell_s};
}

}  // namespace lipizz::setup
