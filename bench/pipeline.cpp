// Training steps of a pair of networks in a pipeline of threads, beside the same micro-batches on
// one thread:
//
//     bench_pipeline [MODEL [BATCH [MICRO_BATCHES [STAGES]]]]
//
// DCGAN-64 at batch 64 in eight micro-batches and two stages when not told. Rounds on one thread
// and of each schedule alternate. The medians of their ratios by the clock are reported, with the
// share of the time that is lost, beside what the bubble of these stages comes to and that of
// stages which take equally long, (S - 1) / (m + S - 1); and how long each stage was busy.
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "comm/thread_world.hpp"
#include "median.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/host_device.hpp"
#include "nn/train/step_cost.hpp"
#include "nn/train/timing_run.hpp"
#include "parallel/cell_pipeline.hpp"
#include "support.hpp"

namespace lipizz::bench {
namespace {

constexpr int kRounds = 5;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A rank of a world of threads, with the time that it has waited for others.
class ThreadLink final : public parallel::RankLink {
 public:
  explicit ThreadLink(comm::Communicator world) : world_(std::move(world)) {}
  [[nodiscard]] RankInCell self() const override {
    return {static_cast<std::uint32_t>(world_.rank())};
  }
  [[nodiscard]] std::uint32_t size() const override {
    return static_cast<std::uint32_t>(world_.size());
  }
  void send(RankInCell to, Bytes message) override {
    world_.isend(static_cast<int>(to.value), 0, std::move(message), "a part").wait();
  }
  [[nodiscard]] Bytes receive(RankInCell from) override {
    const auto begin = Clock::now();
    Bytes message = world_.receive(static_cast<int>(from.value), 0, "a part");
    waited_s += seconds_since(begin);
    return message;
  }
  double waited_s = 0;

 private:
  comm::Communicator world_;
};

struct Case {
  nn::GanSpec gan;
  std::uint32_t batch;
  std::uint32_t n_micro_batches;
};

// Seconds of both steps on so many stages, and of each stage those in which it did not wait.
struct Taken {
  double seconds = 0;
  std::vector<double> busy_s;
};

Taken run_stages(const Case& of, const nn::PipelineSpec& spec, int n_steps) {
  comm::ThreadWorld world(static_cast<int>(spec.n_stages));
  Taken taken{.busy_s = std::vector<double>(spec.n_stages)};
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < spec.n_stages; ++rank) {
    threads.emplace_back([&, rank] {
      nn::prepare_compute_thread();
      ThreadLink link(world.communicator(static_cast<int>(rank)));
      parallel::CellCollectives all(link);
      parallel::CellPipeline pipelined(link, spec);
      nn::Engine engine = fix_fastest_engine(nn::Precision::kF32);
      if (spec.n_stages > 1) {
        engine.collectives = &all;
        engine.pipeline = &pipelined.pipeline();
      }
      nn::HostDevice device(engine);
      nn::TimingRun run(device, of.gan, of.batch, 1,
                        {.generator_options = {.n_micro_batches = of.n_micro_batches},
                         .discriminator_options = {.n_micro_batches = of.n_micro_batches}});
      const auto step = [&] {
        run.train_generators();
        run.train_discriminators();
      };
      step();
      link.waited_s = 0;
      const auto begin = Clock::now();
      for (int i = 0; i < n_steps; ++i) step();
      const double seconds = seconds_since(begin) / n_steps;
      taken.busy_s[rank] = seconds - link.waited_s / n_steps;
      if (rank == 0) taken.seconds = seconds;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return taken;
}

double bubble(const Case& of, const nn::PipelineSpec& spec, bool is_generator) {
  nn::NoCell cell(spec.n_stages, 0, spec);
  const nn::Engine engine = cell.engine(fix_fastest_engine(nn::Precision::kF32));
  const nn::StepOptions options{.n_micro_batches = of.n_micro_batches};
  const auto cost = is_generator ? nn::generator_step_cost : nn::discriminator_step_cost;
  return cost(engine, of.gan, {}, of.batch, options).bubble;
}

void run(const std::string& model, const Case& of, std::uint32_t n_stages) {
  using enum nn::PipelineSchedule;
  const std::pair<const char*, nn::PipelineSchedule> schedules[] = {{"gpipe", kGpipe},
                                                                    {"1f1b", k1F1B}};
  const double of_equal = (n_stages - 1.0) / (of.n_micro_batches + n_stages - 1.0);
  std::printf("%s, batch %u in %u micro-batches, %u stages (equal ones lose %.1f %%), %d rounds\n",
              model.c_str(), of.batch, of.n_micro_batches, n_stages, 100 * of_equal, kRounds);
  std::vector<double> ratios[2];
  std::vector<Taken> last(2);
  for (int round = 0; round < kRounds; ++round) {
    const double alone = run_stages(of, {.n_stages = 1}, 2).seconds;
    for (int i = 0; i < 2; ++i) {
      last[i] = run_stages(of, {n_stages, schedules[i].second}, 2);
      ratios[i].push_back(alone / last[i].seconds);
    }
  }
  for (int i = 0; i < 2; ++i) {
    const nn::PipelineSpec spec{n_stages, schedules[i].second};
    const double waiting = (bubble(of, spec, true) + bubble(of, spec, false)) / 2;
    const double faster = median(ratios[i]);
    std::printf("%-5s  %5.2f times as fast (%.1f %% lost), %5.2f by the bubble (%.1f %%); busy:",
                schedules[i].first, faster, 100 * (1 - faster / n_stages), n_stages * (1 - waiting),
                100 * waiting);
    for (const double busy : last[i].busy_s) {
      std::printf(" %.0f %%", 100 * busy / last[i].seconds);
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace lipizz::bench

int main(int argc, char** argv) {
  using lipizz::bench::number_argument;
  try {
    const std::string model = argc > 1 ? argv[1] : "dcgan64";
    lipizz::bench::run(model,
                       {lipizz::nn::make_model(model), number_argument(argc, argv, 2, 64),
                        number_argument(argc, argv, 3, 8)},
                       number_argument(argc, argv, 4, 2));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_pipeline: %s\n", error.what());
    return 2;
  }
}
