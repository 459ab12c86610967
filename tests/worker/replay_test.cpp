#include "worker/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "checkpoint/run_checkpoints.hpp"
#include "checkpoint/source_file.hpp"
#include "config/json.hpp"
#include "core/error.hpp"
#include "setup/settings.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::worker::replay_test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::vector<CellId> kAll{{0}, {1}, {2}, {3}, {4}, {5}, {6}};

config::Experiment on_a_ring() {
  config::Experiment experiment;
  experiment.grid.rows = 1;
  experiment.grid.columns = static_cast<std::uint32_t>(kAll.size());
  experiment.data.dataset = "ring8";
  experiment.data.max_samples = 100;
  experiment.model.name = "mlp-2d";
  experiment.compute.engine = "reference";
  experiment.compute.numerics = "baseline";
  experiment.score.metric = "modes";
  experiment.operators.fitness.n_samples = 50;
  experiment.score.n_samples_training = 100;
  return experiment;
}

class Replay : public ::testing::Test {
 protected:
  // Goes on from the files in folder `from`, and writes into the folder `name`.
  Replayed replay_to(const std::string& name, std::vector<CellId> targets, Generation start,
                     Generation last, int n_threads, const std::string& from = "nowhere") {
    comm::RunPlan run_plan;
    run_plan.experiment = config::to_json(experiment_);
    run_plan.numerics = experiment_.compute.numerics;
    run_plan.hosts.assign(1 + n_threads, "here");
    run_plan.devices.assign(1 + n_threads, "cpu");
    run_plan.devices.front().clear();
    fs::create_directories(folder_ / name);
    const grid::Torus torus = setup::torus_of(experiment_);
    const grid::LightCone cone(
        torus, setup::schedule_of(experiment_),
        is_final_ ? grid::with_neighbours(torus, grid::find_neighbourhood("cross5"), targets)
                  : targets,
        start, last);
    told_.clear();
    return replay({.run_plan = run_plan,
                   .data_dir = {},
                   .cone = cone,
                   .targets = targets,
                   .is_final = is_final_,
                   .run = folder_ / from,
                   .output = folder_ / name,
                   .writes_mixture = targets.size() == 1,
                   .expected = expected_},
                  {kMaster, [](const telemetry::LogLine&) {}},
                  [this](const coev::CellReport& report) {
                    told_[report.generation].insert(report.cell);
                    if (report.generation == fails_in_) throw NumericError("as asked");
                  });
  }

  [[nodiscard]] Bytes file(const std::string& name, Generation generation, CellId cell) const {
    const checkpoint::RunCheckpoints files(folder_ / name, static_cast<std::uint32_t>(kAll.size()));
    return checkpoint::SourceFile(files.file(generation, cell)).first(1 << 30);
  }

  const TemporaryFolder folder_;
  config::Experiment experiment_ = on_a_ring();
  bool is_final_ = false;
  std::optional<checkpoint::Lineage> expected_;
  Generation fails_in_ = 0;
  std::map<Generation, std::set<CellId>> told_;
};

TEST_F(Replay, of_one_cell_gives_the_bits_of_the_whole_and_computes_its_light_cone_alone) {
  const Replayed whole = replay_to("whole", kAll, 0, 3, 1);
  ASSERT_EQ(whole.cells.size(), kAll.size());
  for (const int n_threads : {1, 3}) {
    const Replayed one = replay_to("one", {{5}}, 0, 3, n_threads);
    EXPECT_THAT(told_[3], ElementsAre(CellId{5}));
    EXPECT_THAT(told_[2], ElementsAre(CellId{4}, CellId{5}, CellId{6}));
    EXPECT_THAT(told_[1], ElementsAre(CellId{0}, CellId{3}, CellId{4}, CellId{5}, CellId{6}));
    EXPECT_EQ(file("one", 3, {5}), file("whole", 3, {5})) << n_threads;
    ASSERT_EQ(one.cells.size(), 1U);
    EXPECT_EQ(one.cells[0].fingerprint, whole.cells[5].fingerprint);
    EXPECT_GT(one.cpu_s, 0);
    EXPECT_LT(one.cpu_s, whole.cpu_s);
  }
  EXPECT_FALSE(fs::exists(folder_ / "one/checkpoints/generation-000003/cell-0004.safetensors"));
}

TEST_F(Replay, goes_on_from_saved_cells_to_the_same_bits) {
  replay_to("early", kAll, 0, 2, 2);
  replay_to("late", {{1}}, 0, 4, 2);
  replay_to("on", {{1}}, 2, 4, 2, "early");
  EXPECT_FALSE(told_.contains(2));
  EXPECT_EQ(file("on", 4, {1}), file("late", 4, {1}));
}

TEST_F(Replay, at_the_generation_that_is_saved_is_what_is_saved) {
  replay_to("early", kAll, 0, 1, 1);
  const Replayed same = replay_to("same", {{1}}, 1, 1, 1, "early");
  EXPECT_EQ(file("same", 1, {1}), file("early", 1, {1}));
  EXPECT_TRUE(told_.empty());
  EXPECT_FALSE(same.cells.at(0).has_mixture) << "the neighbours' generators are older ones";
}

TEST_F(Replay, of_the_end_has_the_final_mixture_beside_the_state_before_it) {
  const Replayed before = replay_to("before", {{3}}, 0, 2, 1);
  is_final_ = true;
  const Replayed at_end = replay_to("at_end", {{3}}, 0, 2, 2);
  EXPECT_EQ(told_[2].size(), 3U) << "its neighbours are in its mixture";
  EXPECT_EQ(file("at_end", 2, {3}), file("before", 2, {3}));
  EXPECT_NE(at_end.cells.at(0).fingerprint, before.cells.at(0).fingerprint);
  EXPECT_TRUE(at_end.cells.at(0).has_mixture);
  EXPECT_TRUE(fs::exists(folder_ / "at_end/mixture/mixture.json"));
  EXPECT_TRUE(fs::exists(folder_ / "at_end/samples/best.png"));
}

TEST_F(Replay, of_the_seed_is_the_seeded_start) {
  EXPECT_TRUE(replay_to("seed", {{2}}, 0, 0, 1).cells.at(0).has_mixture) << "itself alone";
  EXPECT_TRUE(told_.empty());
}

TEST_F(Replay, ends_with_the_first_error_of_any_thread) {
  fails_in_ = 2;
  EXPECT_THROW(replay_to("failing", kAll, 0, 3, 3), NumericError);
}

TEST_F(Replay, refuses_other_data_than_the_run_had) {
  expected_.emplace().dataset = 0xabc;
  EXPECT_THAT([&] { replay_to("other", {{0}}, 0, 1, 2); },
              ThrowsMessage<CheckpointError>(HasSubstr("data of hash 0000000000000abc")));
}

TEST_F(Replay, refuses_cells_of_another_run) {
  replay_to("early", kAll, 0, 1, 1);
  experiment_.seed = 2;
  EXPECT_THROW(replay_to("on", {{1}}, 1, 2, 1, "early"), CheckpointError);
}

TEST_F(Replay, refuses_what_cannot_be_computed_again) {
  experiment_.exchange.mode = "async";
  EXPECT_THROW(replay_to("async", {{0}}, 0, 1, 1), InternalError);
}

}  // namespace
}  // namespace lipizz::worker::replay_test
