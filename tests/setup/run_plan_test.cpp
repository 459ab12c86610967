#include "setup/run_plan.hpp"

#include <gmock/gmock.h>

#include "config/json.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "nn/graph/convolution_table.hpp"
#include "setup/agreement/entries.hpp"

namespace lipizz::setup::run_plan_test {
namespace {

config::Experiment small() {
  config::Experiment experiment;
  experiment.model.name = "mlp-2d";
  experiment.compute.engine = "reference";
  return experiment;
}

TEST(RunPlan, tells_all_ranks_what_the_master_settled) {
  const auto entries = entries_on({"m", "a"});
  const auto [experiment, run_plan, notes] = agree(entries, small(), {.survives_losses = true});
  EXPECT_EQ(experiment.compute.numerics, "avx2");
  EXPECT_EQ(experiment.compute.device, "cpu");
  EXPECT_EQ(experiment.compute.placement, "shares");
  EXPECT_EQ(experiment.compute.convolution_table_hash,
            to_hex(nn::ConvolutionTable::committed().hash()));
  config::Experiment sent;
  config::apply_json(run_plan.experiment, "test", sent);
  EXPECT_EQ(sent, experiment);
  EXPECT_EQ(run_plan.numerics, "avx2");
  EXPECT_EQ(run_plan.convolution_table, "") << "every rank has the build's own";
  EXPECT_THAT(run_plan.hosts, ::testing::ElementsAre("m", "a"));
  EXPECT_THAT(run_plan.devices, ::testing::ElementsAre("", "cpu"));
  EXPECT_TRUE(run_plan.go);
  EXPECT_TRUE(run_plan.survives_losses);
  EXPECT_FALSE(run_plan.asks_for_speed);
  EXPECT_TRUE(run_plan.rank_of_cell.empty());
}

TEST(RunPlan, asks_for_speeds_only_of_those_who_will_train) {
  const auto entries = entries_on({"m", "a"});
  config::Experiment experiment = small();
  experiment.compute.placement = "measured";
  EXPECT_TRUE(agree(entries, experiment, {}).run_plan.asks_for_speed);
  const comm::RunPlan dry = agree(entries, experiment, {.is_dry_run = true}).run_plan;
  EXPECT_FALSE(dry.asks_for_speed);
  EXPECT_FALSE(dry.go);
}

TEST(RunPlan, notes_what_auto_chose) {
  auto entries = entries_on({"m", "a"});
  entries[1].why_no_gpu = "no driver";
  config::Experiment experiment = small();
  experiment.compute.device = "auto";
  EXPECT_THAT(agree(entries, experiment, {}).notes,
              ::testing::ElementsAre(::testing::HasSubstr("no driver")));
  experiment.compute.device = "cpu";
  EXPECT_TRUE(agree(entries, experiment, {}).notes.empty());
}

TEST(RunPlan, has_a_level_without_bf16_where_gpus_compute_in_it) {
  auto entries = entries_on({"m", "a"});
  for (comm::InventoryEntry& entry : entries) {
    entry.numerics_levels = {"baseline", "avx2", "avx512", "avx512_bf16", "amx"};
    entry.n_gpus = 1;
  }
  config::Experiment experiment = small();
  experiment.compute.engine = "onednn";
  experiment.compute.precision = "bf16";
  experiment.compute.device = "auto";
  const Agreement found = agree(entries, experiment, {});
  EXPECT_EQ(found.experiment.compute.device, "cuda");
  EXPECT_EQ(found.experiment.compute.numerics, "avx512");
  EXPECT_EQ(found.run_plan.numerics, "avx512");
}

TEST(RunPlan, is_not_made_where_ranks_differ_or_lack_something) {
  auto entries = entries_on({"m", "a"});
  config::Experiment experiment = small();
  experiment.compute.precision = "tf32";
  EXPECT_THROW(agree(entries, experiment, {}), ConfigError) << "on a processor";
  experiment.compute.precision = "bf16";
  EXPECT_THROW(agree(entries, experiment, {}), ConfigError) << "by the reference";
  entries[1].program.version = "another";
  EXPECT_THROW(agree(entries, small(), {}), ConfigError);
}

}  // namespace
}  // namespace lipizz::setup::run_plan_test
