#include "worker/training_loop.hpp"

#include <gmock/gmock.h>

#include <map>
#include <thread>
#include <utility>

#include "fake_island.hpp"
#include "grid/neighbourhood.hpp"
#include "nn/exec/host_device.hpp"
#include "toy_scorer.hpp"

namespace lipizz::worker::training_loop_test {
namespace {

struct CountingClock final : Clock {
  double now_s() const override { return ticks += 1; }
  mutable double ticks = 0;
};

// One worker with both cells of a 1x2 grid, or with the first alone.
struct Fixture {
  explicit Fixture(std::uint64_t seed = 1, std::vector<CellId> hosted = {{0}, {1}},
                   std::optional<Generation> max_staleness = std::nullopt)
      : settings(coev::fake::small_settings(seed, max_staleness)),
        island(settings, {1, 2}, hosted, *dataset, scorer, device),
        exchange([](std::span<const comm::Reader>, const Publication&) {}) {
    exchange.begin({{1, 2},
                    settings.neighbourhood,
                    3,
                    {Rank{1}, hosted.size() == 2 ? Rank{1} : Rank{2}},
                    Rank{1},
                    1,
                    max_staleness.has_value()});
    status.enter(comm::WorkerState::kProcessing);
  }

  TrainingLoop training_loop() { return {island, exchange, status, 3, clock, hooks}; }

  // A publication of cell 1, where another worker hosts it.
  void deliver(Generation generation) {
    ByteWriter publication;
    publication.value(CellId{1});
    publication.value(generation);
    publication.value(std::uint64_t{77} + generation);
    exchange.deliver(
        {.source = {1}, .destination = {0}, .incarnation = 1, .generation = generation},
        publication.take());
  }

  // The fingerprints that the cells have after a whole run.
  std::vector<std::uint64_t> run() {
    training_loop().run();
    return fingerprints();
  }
  std::vector<std::uint64_t> fingerprints() const {
    std::vector<std::uint64_t> all;
    for (const CellId cell : island.hosted()) all.push_back(island.fingerprint(cell));
    return all;
  }
  std::vector<coev::CellState> states() const {
    std::vector<coev::CellState> all;
    for (const CellId cell : island.hosted()) all.push_back(island.state(cell));
    return all;
  }

  coev::Settings settings;
  std::shared_ptr<const data::Dataset> dataset = data::open_dataset("ring8", {});
  ToyScorer scorer;
  nn::HostDevice device;
  coev::Island island;
  Exchange exchange;
  StatusBoard status;
  CountingClock clock;
  std::vector<std::pair<Generation, std::uint32_t>> told;
  std::vector<Generation> pauses;
  std::vector<double> worked_s;
  TrainingLoop::Hooks hooks{.after_generation =
                                [this](Generation generation, const auto& evaluated) {
                                  for (const auto& [report, gather_s, work_s] : evaluated) {
                                    told.emplace_back(report.generation, report.cell.value);
                                    worked_s.push_back(work_s);
                                  }
                                  pauses.push_back(generation);
                                },
                            .keep_going = [] { return true; }};
};

TEST(TrainingLoop, tells_every_cell_of_every_generation_and_then_the_final_state) {
  Fixture worker;
  TrainingLoop training = worker.training_loop();
  const auto finals = training.run();
  EXPECT_THAT(worker.told,
              ::testing::ElementsAre(std::pair(1U, 0U), std::pair(1U, 1U), std::pair(2U, 0U),
                                     std::pair(2U, 1U), std::pair(3U, 0U), std::pair(3U, 1U)));
  EXPECT_THAT(worker.pauses, ::testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(worker.worked_s, std::vector<double>(6, 0.5)) << "a tick, shared by two cells";
  ASSERT_EQ(finals.size(), 2U);
  EXPECT_EQ(worker.status.status().generation, 3U);
}

TEST(TrainingLoop, profiles_every_routine_of_every_generation) {
  Fixture worker;
  double waited_s = 3;  // before
  worker.hooks.waited_for_helpers_s = [&] { return std::exchange(waited_s, 10); };
  TrainingLoop training = worker.training_loop();
  training.run();
  const auto& [wall, cpu] = training.seconds({1});
  EXPECT_EQ(cpu.seconds("train"), 4) << "three generations and the end, a second each";
  EXPECT_EQ(wall.seconds("gather"), 4) << "a tick each";
  // 2 cells x 4 gatherings x 2 readings, 3 generations x 2, and the last reading, shared by two.
  EXPECT_EQ(wall.seconds("total"), (2 * 4 * 2 + 3 * 2 + 1) / 2.0);
  EXPECT_EQ(wall.seconds("helpers"), 3.5) << "shared by two";
  EXPECT_GT(cpu.seconds("total"), 0);
  EXPECT_EQ(cpu.seconds("gather"), 0) << "the clock's seconds are told apart";
  EXPECT_EQ(wall.seconds("train"), 0);
}

TEST(TrainingLoop, ends_when_told_to) {
  Fixture worker(coev::fake::kSeedOfEndlessTraining);
  std::atomic<bool> keep_going = true;
  worker.hooks.keep_going = [&] { return keep_going.load(); };
  TrainingLoop training = worker.training_loop();
  std::jthread stopper([&] { keep_going = false; });
  EXPECT_THROW(training.run(), coev::Interrupted);
}

TEST(TrainingLoop, expects_messages_but_for_while_cells_evolve) {
  Fixture worker;
  std::vector<bool> expected;
  worker.hooks.expect_messages = [&](bool are_expected) { expected.push_back(are_expected); };
  TrainingLoop training = worker.training_loop();
  training.run();
  EXPECT_THAT(expected, ::testing::ElementsAre(false, true, false, true, false, true));
}

TEST(TrainingLoop, expects_messages_again_when_it_was_interrupted) {
  Fixture worker;
  std::vector<bool> expected;
  worker.hooks.expect_messages = [&](bool are_expected) { expected.push_back(are_expected); };
  worker.hooks.keep_going = [&] { return expected.size() < 3; };
  TrainingLoop training = worker.training_loop();
  EXPECT_THROW(training.run(), coev::Interrupted);
  EXPECT_THAT(expected, ::testing::ElementsAre(false, true, false, true));
}

TEST(TrainingLoop, asynchronously_goes_on_without_a_word_of_its_neighbour) {
  Fixture worker(1, {{0}}, 5);
  const auto alone = worker.run();
  EXPECT_THAT(worker.pauses, ::testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(worker.told, ::testing::SizeIs(3));
  EXPECT_NE(alone.front(), Fixture().run().front());
}

TEST(TrainingLoop, asynchronously_takes_the_newest_that_is_there_in_each_generation) {
  const auto run = [](const std::map<Generation, std::vector<Generation>>& arrivals) {
    Fixture worker(1, {{0}}, 5);
    worker.hooks.after_generation = [&](Generation generation, const auto&) {
      const auto arrived = arrivals.find(generation);
      if (arrived == arrivals.end()) return;
      for (const Generation published : arrived->second) worker.deliver(published);
    };
    return worker.run();
  };
  EXPECT_EQ(run({{1, {0, 3, 2}}}), run({{1, {3}}}));
  EXPECT_NE(run({{1, {3}}}), run({{2, {3}}}));
  EXPECT_NE(run({{1, {3}}}), run({{1, {2}}}));
  EXPECT_NE(run({{3, {3}}}), run({})) << "to finish with";
}

TEST(TrainingLoop, goes_on_from_where_the_island_was_resumed) {
  Fixture undisturbed;
  std::map<Generation, std::vector<coev::CellState>> saved;
  undisturbed.hooks.after_generation = [&](Generation generation, const auto&) {
    saved[generation] = undisturbed.states();
  };
  const auto expected = undisturbed.run();
  Fixture resumed;
  resumed.island.resume(saved.at(1));
  EXPECT_EQ(resumed.run(), expected);
  EXPECT_THAT(resumed.pauses, ::testing::ElementsAre(2, 3));
  Fixture at_the_end;
  at_the_end.island.resume(saved.at(3));
  EXPECT_EQ(at_the_end.run(), expected);
  EXPECT_THAT(at_the_end.pauses, ::testing::IsEmpty()) << "only the final mixtures were left";
}

}  // namespace
}  // namespace lipizz::worker::training_loop_test
