#include "app/launch_plan.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <limits>

#include "core/error.hpp"

namespace lipizz::app::launch_plan_test {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
constexpr double kForEver = std::numeric_limits<double>::infinity();

struct SlurmJob {
  SlurmJob(const char* nodes, const char* tasks) {
    setenv("SLURM_JOB_NODELIST", nodes, 1);
    setenv("SLURM_TASKS_PER_NODE", tasks, 1);
    setenv("SLURM_NTASKS", "6", 1);
  }
  ~SlurmJob() {
    for (const char* name : {"SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE", "SLURM_NTASKS"}) {
      unsetenv(name);
    }
  }
};

TEST(LaunchPlan, a_worker_for_each_cell_unless_told_or_limited) {
  LaunchOptions options;
  EXPECT_EQ(n_ranks(options, 16, std::nullopt), 17U);
  EXPECT_EQ(n_ranks(options, 16, 9U), 9U) << "what the job has room for";
  EXPECT_EQ(n_ranks(options, 16, 100U), 17U) << "and no more than cells";
  options.spares = 2;
  EXPECT_EQ(n_ranks(options, 16, std::nullopt), 19U);
  EXPECT_EQ(n_ranks(options, 16, 9U), 9U);
  EXPECT_THROW(n_ranks(options, 16, 3U), ConfigError) << "no room for a worker";
  options.workers = 4;
  EXPECT_EQ(n_ranks(options, 16, 9U), 7U);
}

TEST(LaunchPlan, workers_and_spares_bring_their_helpers) {
  LaunchOptions options;
  EXPECT_EQ(n_ranks(options, 4, std::nullopt, 2), 9U);
  EXPECT_EQ(n_ranks(options, 4, 8U, 2), 7U) << "no half of a worker";
  EXPECT_THROW(n_ranks(options, 4, 2U, 2), ConfigError);
  options.spares = 1;
  EXPECT_EQ(n_ranks(options, 4, std::nullopt, 2), 11U);
  EXPECT_EQ(n_ranks(options, 4, 6U, 2), 5U);
  EXPECT_THROW(n_ranks(options, 4, 4U, 2), ConfigError);
}

TEST(LaunchPlan, a_worker_for_each_gpu_where_there_are_any) {
  for (const char* device : {"cuda", "auto"}) {
    EXPECT_EQ(useful_workers(16, ranks_for_gpus(device, 4), 1), 4U);
    EXPECT_EQ(useful_workers(16, ranks_for_gpus(device, 4), 2), 8U)
        << "all hosts are taken to be alike";
    EXPECT_EQ(useful_workers(3, ranks_for_gpus(device, 4), 2), 3U) << "but no more than cells";
    EXPECT_EQ(useful_workers(16, ranks_for_gpus(device, 0), 2), 16U);
  }
  for (const char* device : {"cuda:1", "check"}) {
    EXPECT_EQ(useful_workers(16, ranks_for_gpus(device, 4), 2), 2U) << "one of each host";
  }
  for (const char* device : {"cpu", "cuda+cpu"}) {
    EXPECT_EQ(useful_workers(16, ranks_for_gpus(device, 4), 2), 16U) << "cores train too";
  }
}

TEST(LaunchPlan, ranks_go_to_hosts_in_turn_unless_told_otherwise) {
  EXPECT_THAT(in_turn({"--host", "a,b"}), ElementsAre("--map-by", "node", "--host", "a,b"));
  for (const char* option : {"--map-by", "-map-by", "--bynode", "-rankfile", "-rf"}) {
    EXPECT_THAT(in_turn({option, "slot"}), ElementsAre(option, "slot"));
  }
}

TEST(LaunchPlan, the_ranks_of_a_cell_share_out_the_gpus_of_hosts) {
  const auto workers = [](std::uint32_t n_gpus, std::size_t n_hosts, std::uint32_t ranks_per_cell) {
    return useful_workers(16, ranks_for_gpus("cuda", n_gpus, ranks_per_cell), n_hosts,
                          ranks_per_cell);
  };
  EXPECT_EQ(workers(4, 2, 2), 4U);
  EXPECT_EQ(workers(4, 2, 3), 2U) << "a cell is on one host where that has room";
  EXPECT_EQ(workers(4, 2, 8), 1U) << "and on several where none has";
  EXPECT_EQ(workers(4, 1, 8), 1U) << "which take turns where all have not";
  EXPECT_EQ(ranks_for_gpus("auto", 4, 8), 4U);
  EXPECT_EQ(ranks_for_gpus("auto", 4, 3), 3U);
  EXPECT_EQ(ranks_for_gpus("cuda:1", 4, 2), 1U);
  EXPECT_EQ(ranks_for_gpus("cuda", 0, 2), 0U);
}

TEST(LaunchPlan, hosts_are_filled_in_order_where_helpers_are_to_be_beside_their_worker) {
  const std::vector<Host> hosts{{"a", 8}, {"b", 8}};
  EXPECT_THAT(filled_in_order(hosts, 4, 9, {}, true), ElementsAre(Host{"a", 5}, Host{"b", 4}));
  EXPECT_THAT(filled_in_order(hosts, 8, 9, {}, false), ElementsAre(Host{"a", 9}, Host{"b", 8}));
  EXPECT_THAT(filled_in_order(hosts, 8, 9, {}, true), ElementsAreArray(hosts)) << "given less";
  EXPECT_THAT(filled_in_order(hosts, 4, 10, {}, true), ElementsAreArray(hosts)) << "with spares";
  EXPECT_THAT(filled_in_order(hosts, 4, 9, {"--map-by", "node"}, true), ElementsAreArray(hosts));
}

TEST(LaunchPlan, ranks_are_bound_to_nothing_unless_told_otherwise) {
  EXPECT_THAT(unbound({"--host", "a"}), ElementsAre("--bind-to", "none", "--host", "a"));
  EXPECT_THAT(unbound({"--bind-to", "core"}), ElementsAre("--bind-to", "core"));
  for (const char* option : {"-rf", "--rankfile", "--cpu-set", "--bycore"}) {
    EXPECT_THAT(unbound({option, "x"}), ElementsAre(option, "x"));
  }
  EXPECT_THAT(unbound({"--map-by", "slot:PE=4"}), ElementsAre("--map-by", "slot:PE=4"));
}

TEST(LaunchPlan, mpirun_counts_slots_only_where_a_scheduler_gives_them) {
  LaunchOptions options;
  options.mpirun_options = {"--bind-to", "core"};
  EXPECT_THAT(mpirun_command(options, 5, {}),
              ElementsAre("mpirun", "--oversubscribe", "-np", "5", "--bind-to", "core"));
  EXPECT_THAT(mpirun_command(options, 5, {.is_scheduled = true}),
              ElementsAre("mpirun", "-np", "5", "--bind-to", "core"));
}

TEST(LaunchPlan, mpirun_lets_root_run_it_as_in_a_container) {
  EXPECT_THAT(mpirun_command({}, 2, {.is_root = true}),
              ElementsAre("mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2"));
}

TEST(LaunchPlan, a_host_is_asked_as_the_run_would_be_started_there) {
  LaunchOptions options;
  options.mpirun_options = {"--host", "a:2,b", "--mca", "plm_rsh_agent", "ssh"};
  EXPECT_THAT(question_to({"b", 3}, options, {.is_root = true}),
              ElementsAre("mpirun", "--allow-run-as-root", "-np", "1", "--mca", "plm_rsh_agent",
                          "ssh", "--host", "b:1", "true"));
}

TEST(LaunchPlan, a_run_that_has_begun_is_resumed_with_its_own_configuration) {
  LaunchOptions options;
  options.training = {"--grid", "4x4"};
  options.watching = {"--quiet"};
  EXPECT_THAT(training_arguments(options, "/run", false, kForEver),
              ElementsAre("--output", "/run", "--grid", "4x4", "--quiet"));
  EXPECT_THAT(training_arguments(options, "/run", true, kForEver),
              ElementsAre("--resume", "/run", "--quiet"));
  EXPECT_THAT(training_arguments(options, "/run", true, 89.6),
              ElementsAre("--resume", "/run", "--quiet", "--time-limit", "90"));
  EXPECT_THAT(training_arguments(options, "/run", true, -5),
              ElementsAre("--resume", "/run", "--quiet", "--time-limit", "1"));
  options.training = {"--generations", "9"};
  options.resume_dir = "run";
  EXPECT_THAT(training_arguments(options, "/run", true, kForEver),
              ElementsAre("--resume", "/run", "--generations", "9", "--quiet"));
}

TEST(LaunchPlan, only_losses_are_worth_a_restart) {
  for (const int lost : {1, 3, 128 + 9, 128 + 11, 205}) {
    EXPECT_TRUE(is_worth_a_restart({lost, false})) << lost;
    EXPECT_FALSE(is_worth_a_restart({lost, true})) << lost << ", but the result is there";
  }
  for (const int final : {0, 2, 4, 5, 6, 70, 75}) {
    EXPECT_FALSE(is_worth_a_restart({final, false})) << final;
  }
}

TEST(LaunchPlan, what_dies_before_it_starts_is_hopeless_unless_it_was_killed) {
  EXPECT_FALSE(is_hopeless({.exit_code = 1, .has_started = true}));
  for (const int refused : {1, 3, 128 + 11, 213}) {
    EXPECT_TRUE(is_hopeless({.exit_code = refused, .has_started = false})) << refused;
  }
  for (const int killed : {128 + 9, 128 + 15}) {
    EXPECT_FALSE(is_hopeless({.exit_code = killed, .has_started = false})) << killed;
  }
}

TEST(LaunchPlan, names_the_signal) {
  EXPECT_EQ(described({137, false}), "exit code 137 (killed by signal 9)");
  EXPECT_EQ(described({205, false}), "exit code 205");
  EXPECT_EQ(described({3, false}), "exit code 3");
}

TEST(LaunchPlan, finds_the_hosts_that_mpirun_is_told) {
  EXPECT_THAT(named_hosts({"--tag-output"}), ElementsAre());
  EXPECT_THAT(named_hosts({"--host"}), ElementsAre());
  EXPECT_THAT(named_hosts({"--tag-output", "--host", "a:2,b"}),
              ElementsAre(Host{"a", 2}, Host{"b", 1}));
  EXPECT_THAT(named_hosts({"-H", "a:x"}), ElementsAre(Host{"a", 1}));
}

TEST(LaunchPlan, finds_the_hosts_of_a_slurm_job) {
  const auto hostnames = [](const std::string&) { return std::string("n1\nn2\nn3\n"); };
  EXPECT_THAT(slurm_hosts(hostnames), ElementsAre()) << "outside of a job";
  {
    const SlurmJob job("n[1-3]", "2(x2),1");
    EXPECT_EQ(slots_of_environment(), 6U);
    EXPECT_THAT(slurm_hosts(hostnames), ElementsAre(Host{"n1", 2}, Host{"n2", 2}, Host{"n3", 1}));
  }
  for (const char* nonsense : {"2(x3", "2(x)", "x", "2(x4)", "2(x99999999999)", ""}) {
    const SlurmJob job("n[1-3]", nonsense);
    EXPECT_THAT(slurm_hosts(hostnames), ElementsAre()) << nonsense;
  }
}

TEST(LaunchPlan, chooses_hosts_in_place_of_those_named) {
  const std::vector<Host> hosts{{"a", 2}, {"c", 1}};
  EXPECT_THAT(on_hosts({"--tag-output", "--host", "a:2,b:2,c", "-v"}, hosts),
              ElementsAre("--tag-output", "-v", "--host", "a:2,c:1"));
  EXPECT_THAT(on_hosts({}, hosts), ElementsAre("--host", "a:2,c:1"));
}

}  // namespace
}  // namespace lipizz::app::launch_plan_test
