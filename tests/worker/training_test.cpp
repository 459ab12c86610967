#include "worker/training.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "fake_island.hpp"
#include "grid/neighbourhood.hpp"
#include "toy_scorer.hpp"

namespace lipizz::worker {
namespace {

struct CountingClock final : Clock {
  double now_s() const override { return ticks += 1; }
  mutable double ticks = 0;
};

// One worker with two cells of a 1x2 grid.
struct Fixture {
  explicit Fixture(std::uint64_t seed = 1)
      : settings(coev::fake::small_settings(seed)),
        island(settings, {1, 2}, {{0}, {1}}, *dataset, scorer, {}),
        exchange({{1, 2}, settings.neighbourhood, 3, {Rank{1}, Rank{1}}, Rank{1}}, {}) {
    status.enter(comm::WorkerState::kProcessing);
  }

  Training training(std::function<bool()> keep_going = [] { return true; }) {
    return {
        island,
        exchange,
        status,
        3,
        clock,
        {.on_report = [this](const coev::CellReport& report,
                             double) { told.emplace_back(report.generation, report.cell.value); },
         .after_generation = [this](Generation generation) { pauses.push_back(generation); },
         .keep_going = std::move(keep_going)}};
  }

  coev::Settings settings;
  std::shared_ptr<const data::Dataset> dataset = data::open_dataset("ring8", {});
  ToyScorer scorer;
  coev::Island island;
  Exchange exchange;
  StatusBoard status;
  CountingClock clock;
  std::vector<std::pair<Generation, std::uint32_t>> told;
  std::vector<Generation> pauses;
};

TEST(Training, tells_every_cell_of_every_generation_and_then_the_final_state) {
  Fixture worker;
  Training training = worker.training();
  const auto finals = training.run();
  EXPECT_THAT(worker.told,
              testing::ElementsAre(std::pair(1U, 0U), std::pair(1U, 1U), std::pair(2U, 0U),
                                   std::pair(2U, 1U), std::pair(3U, 0U), std::pair(3U, 1U)));
  EXPECT_THAT(worker.pauses, testing::ElementsAre(1, 2, 3));
  ASSERT_EQ(finals.size(), 2U);
  EXPECT_EQ(worker.status.status().generation, 3U);
}

TEST(Training, profiles_every_routine_of_every_generation) {
  Fixture worker;
  Training training = worker.training();
  training.run();
  const telemetry::Profile& profile = training.profile({1});
  EXPECT_EQ(profile.seconds("train"), 4) << "three generations and the end, a second each";
  EXPECT_EQ(profile.seconds("gather"), 4) << "a tick each";
  // 2 cells x 4 gatherings x 2 readings, and the last reading, shared by two cells.
  EXPECT_EQ(profile.seconds("total"), (2 * 4 * 2 + 1) / 2.0);
}

TEST(Training, ends_when_told_to) {
  Fixture worker(coev::fake::kSeedOfEndlessTraining);
  std::atomic<bool> keep_going = true;
  Training training = worker.training([&] { return keep_going.load(); });
  std::jthread stopper([&] { keep_going = false; });
  EXPECT_THROW(training.run(), coev::Interrupted);
}

}  // namespace
}  // namespace lipizz::worker
