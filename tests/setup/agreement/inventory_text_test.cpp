#include "setup/agreement/inventory_text.hpp"

#include <gmock/gmock.h>

#include "setup/agreement/entries.hpp"

namespace lipizz::setup::inventory_text_test {
namespace {

using ::testing::ElementsAre;

TEST(InventoryText, the_inventory_reads_well) {
  comm::RunPlan run_plan;
  run_plan.rank_of_cell = {1, 1, 2};
  run_plan.devices = {"", "cuda:0", "cpu", "cpu"};
  auto entries = entries_on({"m", "a", "b", "c"});
  entries[1].devices = {"NVIDIA H200"};
  entries[2].load = 3.25;
  entries[2].memory.limits = {{"the memory of the host", 6'000'000'000, 0},
                              {"a control group", 3'000'000'000, 0}};
  entries[3].memory.limits = {{"the memory of the host", 60'000'000'000, 0}};  // with swap
  entries[1].speed = Speed{0.0005, 0.00025};
  EXPECT_THAT(
      inventory_lines(entries, run_plan),
      ElementsAre(
          "rank 0 on m: 4 cores, load 0.0, 8 GB, no accelerator, the master",
          "rank 1 on a: 4 cores, load 0.0, 8 GB, NVIDIA H200, computes with cuda:0 (a batch: 0.5 "
          "ms, and 0.25 for each cell), hosts cells 0-1",
          "rank 2 on b: 4 cores, load 3.2, 8 GB, of which 3 can still be had, no accelerator, "
          "computes with cpu, hosts cell 2",
          "rank 3 on c: 4 cores, load 0.0, 8 GB, of which 8 can still be had, no accelerator, "
          "computes with cpu, a spare"));
}

TEST(InventoryText, threads_without_cores_are_warned_of) {
  auto entries = entries_on({"m", "a", "b"});
  entries[0].cores.n = 1;  // the master computes nothing
  EXPECT_EQ(core_warning(entries, 4), "");
  entries[2].cores.n = 1;
  EXPECT_EQ(
      core_warning(entries, 4),
      "rank 2 on b may use 1 core of its host for 4 threads; choose fewer threads_per_worker, "
      "or `mpirun --bind-to none` where ranks are bound to cores");
  EXPECT_EQ(core_warning(entries, 1), "");
}

}  // namespace
}  // namespace lipizz::setup::inventory_text_test
