#include "setup/setting_rules.hpp"

#include <gmock/gmock.h>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::setup::setting_rules_test {
namespace {

// The message that check() gives after these assignments, or nothing.
std::string complaint(std::initializer_list<const char*> assignments) {
  config::Experiment experiment;
  for (const char* assignment : assignments) config::apply_assignment(assignment, experiment);
  try {
    check_settings(experiment);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(SettingRules, the_defaults_are_valid) {
  EXPECT_EQ(complaint({}), "");
}

TEST(SettingRules, a_misspelt_name_gets_the_nearest) {
  EXPECT_EQ(complaint({"generator.loss=bse"}),
            "generator.loss: there is no \"bse\"; did you mean \"bce\"?");
  EXPECT_EQ(complaint({"fitness.aggregation=avrage"}),
            "fitness.aggregation: there is no \"avrage\"; did you mean \"average\"?");
  EXPECT_EQ(complaint({"model=auto2"}), "model: there is no \"auto2\"; did you mean \"auto\"?");
  EXPECT_EQ(complaint({"loss_mutation.losses=bce,msee"}),
            "loss_mutation.losses: there is no \"msee\"; did you mean \"mse\"?");
  EXPECT_EQ(complaint({R"(neighbourhood=[{"from": 0, "neighbourhood": "cros5"}])"}),
            "neighbourhood: there is no \"cros5\"; did you mean \"cross5\"?");
  EXPECT_EQ(complaint({"data.dataset="}), "data.dataset: there is no \"\"");
}

TEST(SettingRules, an_exchange_is_synchronous_or_not) {
  EXPECT_EQ(complaint({"exchange=async", "max_staleness=1"}), "");
  EXPECT_EQ(complaint({"exchange=asink"}),
            "exchange: there is no \"asink\"; did you mean \"async\"?");
}

TEST(SettingRules, a_device_may_carry_an_index) {
  for (const char* device : {"auto", "cpu", "cuda", "cuda:0", "cuda:15", "cuda+cpu", "check"}) {
    EXPECT_EQ(complaint({("device=" + std::string(device)).c_str()}), "");
  }
  for (const char* device : {"cuda:", "cuda:x", "cpu:0", ""}) {
    EXPECT_THAT(complaint({("device=" + std::string(device)).c_str()}),
                ::testing::StartsWith("device: there is no \"" + std::string(device) + "\""));
  }
}

TEST(SettingRules, a_name_must_do_for_a_folder) {
  for (const char* name : {"name=", "name=..", "name=a/b", "name=-rf", "name=a b"}) {
    EXPECT_THAT(complaint({name}), ::testing::HasSubstr("it names a folder")) << name;
  }
  EXPECT_EQ(complaint({"name=mnist-4x4_v1.2"}), "");
}

TEST(SettingRules, a_schedule_starts_at_zero_and_goes_forward) {
  EXPECT_EQ(complaint({"neighbourhood=[]"}),
            "neighbourhood: the list must start with a neighbourhood from generation 0");
  EXPECT_EQ(complaint({R"(neighbourhood=[{"from": 2, "neighbourhood": "ring3"}])"}),
            "neighbourhood: the list must start with a neighbourhood from generation 0");
  EXPECT_EQ(complaint({R"(neighbourhood=[{"from": 0, "neighbourhood": "ring3"},
                                         {"from": 5, "neighbourhood": "ring5"},
                                         {"from": 5, "neighbourhood": "moore9"}])"}),
            "neighbourhood: generations must go forward, but 5 stands after 5");
}

TEST(SettingRules, any_other_interval_is_refused) {
  for (const std::string every :
       {"", "s", "0", "0s", "-1", "-1s", "infs", "nans", "1e999s", "inf s", "5 ", " 5", "5 s",
        "5.5", "5m", "5ss", "4294967296", "Off", "never"}) {
    EXPECT_EQ(complaint({("checkpoint.every=" + every).c_str()}),
              "checkpoint.every: expected seconds such as 60s, a number of generations such as 5, "
              "or off; found \"" +
                  every + "\"");
  }
}

TEST(SettingRules, settings_that_contradict_each_other_are_refused) {
  EXPECT_EQ(complaint({"data.max_samples=99"}),
            "data.max_samples: expected 0 or at least data.batch_size, which is 100; found 99");
  EXPECT_EQ(complaint({"data.max_samples=100"}), "");
  EXPECT_EQ(complaint({"data.batch_size=8", "data.micro_batches=9"}),
            "data.micro_batches: expected at most data.batch_size, which is 8; found 9");
  EXPECT_EQ(complaint({"data.batch_size=8", "data.micro_batches=8"}), "");
  EXPECT_EQ(complaint({"threads_per_worker=3", "data.micro_batches=2"}),
            "threads_per_worker: expected at most data.micro_batches, which is 2; found 3");
  EXPECT_EQ(complaint({"threads_per_worker=2", "data.micro_batches=2", "device=auto"}),
            "threads_per_worker: expected 1 with device auto; found 2");
  EXPECT_EQ(complaint({"ranks_per_cell=3", "data.micro_batches=2"}),
            "ranks_per_cell: expected at most data.micro_batches, which is 2; found 3");
  EXPECT_EQ(complaint({"threads_per_worker=2", "data.micro_batches=2", "device=cuda:1"}),
            "threads_per_worker: expected 1 with device cuda:1; found 2");
  for (const char* device : {"device=cpu", "device=cuda", "device=cuda:1", "device=auto"}) {
    EXPECT_EQ(complaint({"ranks_per_cell=2", "data.micro_batches=2", device}), "");
  }
  for (const std::string device : {"check", "cuda+cpu"}) {
    EXPECT_EQ(complaint({"ranks_per_cell=2", "data.micro_batches=2", ("device=" + device).c_str()}),
              "ranks_per_cell: expected 1 with device " + device + "; found 2");
  }
  EXPECT_EQ(complaint({"ranks_per_cell=2", "threads_per_worker=2", "data.micro_batches=3"}),
            "threads_per_worker times ranks_per_cell: expected at most data.micro_batches, which "
            "is 3; found 4");
  EXPECT_EQ(complaint({"ranks_per_cell=2", "threads_per_worker=2", "data.micro_batches=4"}), "");
  EXPECT_EQ(
      complaint({"threads_per_worker=2", "data.micro_batches=2", "data.sync_batch_norm=true"}),
      "data.sync_batch_norm: expected threads_per_worker 1, found 2; ranks_per_cell computes "
      "micro-batches at the same time, too");
  EXPECT_EQ(complaint({"ranks_per_cell=2", "data.micro_batches=2", "data.sync_batch_norm=true"}),
            "");
  EXPECT_EQ(complaint({"comm.late_after_s=20"}),
            "comm: expected heartbeat_s < late_after_s < dead_after_s, found 1, 20, 15");
}

TEST(SettingRules, ranks_share_the_micro_batches_of_both_networks) {
  EXPECT_EQ(complaint({"ranks_per_cell=2", "generator.micro_batches=2"}),
            "ranks_per_cell: expected at most data.micro_batches, which is 1; found 2");
  EXPECT_EQ(
      complaint({"ranks_per_cell=3", "data.micro_batches=4", "discriminator.micro_batches=2"}),
      "ranks_per_cell: expected at most discriminator.micro_batches, which is 2; found 3");
  EXPECT_EQ(complaint({"ranks_per_cell=2", "data.micro_batches=4", "generator.micro_batches=2"}),
            "");
  EXPECT_EQ(complaint({"data.batch_size=8", "generator.micro_batches=9"}),
            "generator.micro_batches: expected at most data.batch_size, which is 8; found 9");
  EXPECT_EQ(complaint({"ranks_per_cell=2", "data.micro_batches=4", "discriminator.micro_batches=3",
                       "generator.zero=3"}),
            "generator.zero: 3 asks for a multiple of ranks_per_cell, which is 2, as "
            "discriminator.micro_batches, found 3; 1 does without");
  EXPECT_EQ(complaint({"ranks_per_cell=2", "data.micro_batches=4", "discriminator.micro_batches=3",
                       "generator.zero=2"}),
            "");
}

TEST(SettingRules, zero_shares_out_gradients_where_ranks_have_as_many_micro_batches) {
  const auto with = [](const char* more) {
    return complaint({"ranks_per_cell=2", "data.micro_batches=4", "generator.zero=3", more});
  };
  EXPECT_EQ(with("discriminator.zero=2"), "");
  EXPECT_EQ(with("pipeline.stages=2"), "") << "one replica shares out nothing";
  EXPECT_EQ(with("threads_per_worker=2"),
            "generator.zero: 3 asks for threads_per_worker 1; 1 does without");
  EXPECT_EQ(with("data.micro_batches=3"),
            "generator.zero: 3 asks for a multiple of ranks_per_cell, which is 2, as "
            "data.micro_batches, found 3; 1 does without");
  EXPECT_EQ(with("generator.optimizer=lamb"),
            "generator.zero: 3 asks for an optimizer that does not look at whole tensors, found "
            "lamb; 1 does without");
  EXPECT_EQ(with("ranks_per_cell=1"), "");
}

TEST(SettingRules, zero_shares_out_gradients_where_replicas_compute_the_same) {
  const auto with = [](const char* batch_size, const char* micro_batches) {
    return complaint({"ranks_per_cell=4", "pipeline.stages=2", "discriminator.zero=2", batch_size,
                      micro_batches});
  };
  EXPECT_EQ(with("data.batch_size=12", "data.micro_batches=6"), "");
  EXPECT_EQ(with("data.batch_size=15", "data.micro_batches=5"),
            "discriminator.zero: 2 asks for a multiple of ranks_per_cell / pipeline.stages, which "
            "is 2, as data.micro_batches, found 5; 1 does without");
  EXPECT_EQ(with("data.batch_size=13", "data.micro_batches=6"),
            "discriminator.zero: 2 asks for a data.batch_size that is a multiple of "
            "data.micro_batches with pipeline.stages above 1, found 13 in 6; 1 does without");
}

TEST(SettingRules, a_loss_scale_is_a_power_of_two_and_of_fp16) {
  const std::string as_fp16 = "generator.mixed_precision=fp16";
  EXPECT_EQ(complaint({as_fp16.c_str(), "generator.loss_scale=1024"}), "");
  EXPECT_EQ(complaint({as_fp16.c_str(), "generator.loss_scale=1"}), "");
  for (const char* const bad : {"1000", "0.5"}) {
    EXPECT_EQ(
        complaint({as_fp16.c_str(), ("generator.loss_scale=" + std::string(bad)).c_str()}),
        "generator.loss_scale: expected 0 or a power of two from 1 on, found " + std::string(bad));
  }
  EXPECT_EQ(complaint({"discriminator.mixed_precision=bf16", "discriminator.loss_scale=8"}),
            "discriminator.loss_scale: losses are scaled with mixed_precision fp16 alone");
  EXPECT_EQ(complaint({"generator.mixed_precision=fp8"}),
            "generator.mixed_precision: there is no \"fp8\"; there are none, fp16, bf16");
}

TEST(SettingRules, stages_share_out_the_ranks_of_a_cell) {
  EXPECT_EQ(complaint({"ranks_per_cell=4", "pipeline.stages=4"}), "");
  EXPECT_EQ(complaint({"ranks_per_cell=4", "pipeline.stages=4", "device=auto"}), "");
  EXPECT_EQ(complaint({"ranks_per_cell=4", "pipeline.stages=2", "data.micro_batches=2"}), "");
  EXPECT_EQ(complaint({"pipeline.stages=2"}),
            "pipeline.stages: 2 stages ask for a multiple of them as ranks_per_cell, found 1");
  EXPECT_EQ(complaint({"ranks_per_cell=3", "pipeline.stages=2"}),
            "pipeline.stages: 2 stages ask for a multiple of them as ranks_per_cell, found 3");
  EXPECT_EQ(complaint({"ranks_per_cell=4", "pipeline.stages=2"}),
            "ranks_per_cell by pipeline.stages: expected at most data.micro_batches, which is 1; "
            "found 2");
  EXPECT_EQ(complaint({"ranks_per_cell=2", "pipeline.stages=2", "threads_per_worker=2",
                       "data.micro_batches=4"}),
            "pipeline.stages: 2 stages ask for threads_per_worker 1, found 2");
  EXPECT_EQ(complaint({"ranks_per_cell=2", "pipeline.stages=2", "data.sync_batch_norm=true"}),
            "pipeline.stages: batch norm is not synchronised in a pipeline; use "
            "data.sync_batch_norm false, or 1 stage");
}

TEST(SettingRules, moments_are_offloaded_where_the_host_can_make_updates) {
  EXPECT_EQ(complaint({"generator.offload=host", "device=cuda"}), "");
  EXPECT_EQ(complaint({"generator.offload=host"}), "") << "where they are anyway";
  EXPECT_EQ(complaint({"discriminator.offload=disk", "discriminator.optimizer=lamb"}), "");
  EXPECT_EQ(complaint({"discriminator.offload=host", "discriminator.optimizer=lamb"}),
            "discriminator.offload: host asks for an optimizer that does not look at whole "
            "tensors, found lamb");
  EXPECT_EQ(complaint({"generator.offload=host", "device=check"}),
            "generator.offload: host asks for device cuda, auto or cpu, found check");
  EXPECT_EQ(complaint({"generator.offload=disk", "device=check"}), "") << "copied to it";
}

TEST(SettingRules, networks_are_cut_into_some_of_the_stages) {
  const auto three = [](const std::string& g, const std::string& d) {
    const std::string of_g = "generator.stages=" + g;
    const std::string of_d = "discriminator.stages=" + d;
    return complaint({"ranks_per_cell=3", "pipeline.stages=3", of_g.c_str(), of_d.c_str()});
  };
  EXPECT_EQ(three("1", "2"), "");
  EXPECT_EQ(three("0", "1"), "");
  EXPECT_EQ(three("3", "3"), "");
  EXPECT_EQ(three("4", "0"), "") << "at most";
  EXPECT_EQ(three("1", "1"),
            "generator.stages and discriminator.stages: expected 3 together at least, the "
            "pipeline.stages; found 1 and 1");
  EXPECT_EQ(complaint({"discriminator.stages=2"}), "") << "without a pipeline";
  EXPECT_EQ(complaint({"discriminator.stages=1", "generator.stages=1"}), "");
}

TEST(SettingRules, levels_with_bf16_are_for_processors_that_compute_in_it) {
  EXPECT_EQ(complaint({"numerics=amx", "precision=bf16", "device=cpu"}), "");
  EXPECT_EQ(complaint({"numerics=avx2", "device=cpu"}), "");
  for (const char* other : {"precision=f32", "device=cuda", "device=auto"}) {
    EXPECT_EQ(complaint({"numerics=amx", "precision=bf16", other}),
              "numerics: amx is for precision bf16 on processors (device cpu); use avx512 or auto");
  }
  EXPECT_EQ(complaint({"precision=bf16", "numerics=avx512"}),
            "precision: bf16 needs numerics avx512_bf16 or amx, found avx512");
  EXPECT_EQ(complaint({"precision=bf16", "engine=reference"}),
            "precision: bf16 needs engine onednn, found reference");
}

}  // namespace
}  // namespace lipizz::setup::setting_rules_test
