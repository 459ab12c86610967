#include "worker/replay_share.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "config/json.hpp"
#include "core/error.hpp"
#include "support/temporary_folder.hpp"
#include "worker/mailbox.hpp"

namespace lipizz::worker::replay_share_test {
namespace {

comm::RunPlan run_plan_of_one_thread() {
  config::Experiment experiment;
  experiment.grid.rows = 1;
  experiment.grid.columns = 3;
  experiment.data.dataset = "ring8";
  experiment.data.max_samples = 100;
  experiment.model.name = "mlp-2d";
  experiment.compute.engine = "reference";
  experiment.score.metric = "modes";
  comm::RunPlan run_plan;
  run_plan.experiment = config::to_json(experiment);
  run_plan.numerics = "baseline";
  run_plan.hosts = {"here", "here"};
  run_plan.devices = {"", "cpu"};
  return run_plan;
}

// The only thread's, which sends to itself.
class Share : public ::testing::Test {
 protected:
  ReplayShare::Surroundings surroundings() {
    return {
        .peers = {.self = Rank{1},
                  .members = {Rank{1}},
                  .hosts = run_plan_.hosts,
                  .send = [this](Rank, const auto& what) { mailbox_.post(what); },
                  .wait = [this](auto kind) { return mailbox_.wait_for_resource(kind); },
                  .fail = [](const std::exception_ptr& error) { std::rethrow_exception(error); }},
        .board = board_,
        .log = log_,
        .tell = [this](const coev::CellReport&) { ++n_told_; },
        .keep_going = [this] { return keeps_going_; }};
  }

  const TemporaryFolder folder_;
  const comm::RunPlan run_plan_ = run_plan_of_one_thread();
  const grid::LightCone cone_{
      {.rows = 1, .columns = 3}, grid::Schedule(grid::find_neighbourhood("cross5")), {{1}}, 0, 2};
  const ReplayTask task_{.run_plan = run_plan_,
                         .data_dir = {},
                         .cone = cone_,
                         .targets = {{1}},
                         .run = folder_.path(),
                         .output = folder_.path(),
                         .expected = {}};
  Mailbox mailbox_;
  ReplayBoard board_{3, 1};
  const telemetry::Log log_{kMaster, [](const telemetry::LogLine&) {}};
  int n_told_ = 0;
  bool keeps_going_ = true;
};

TEST_F(Share, with_all_cells_is_the_whole_replay) {
  ReplayShare share(task_, {{0}, {1}, {2}}, surroundings());
  const std::vector<ReplayedCell> cells = share.run();
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].cell, CellId{1});
  EXPECT_EQ(n_told_, 4) << "three cells and then one";
  EXPECT_GT(share.cpu_s(), 0);
  EXPECT_TRUE(
      std::filesystem::exists(folder_ / "checkpoints/generation-000002/cell-0001.safetensors"));
}

TEST_F(Share, leaves_when_another_thread_has_failed) {
  keeps_going_ = false;
  ReplayShare share(task_, {{0}, {1}, {2}}, surroundings());
  EXPECT_THROW(share.run(), coev::Interrupted);
}

}  // namespace
}  // namespace lipizz::worker::replay_share_test
