#include "setup/memory_report.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lipizz::setup {
namespace {

TEST(MemoryReport, adds_up_workers_processes_and_dataset_of_each_host) {
  const auto dataset = data::open_dataset("ring8", {});  // two floats for each of its points
  const double points_mb = (dataset->n_train_full() + dataset->n_test()) * 8e-6;
  ASSERT_NEAR(points_mb, 0.9, 0.05);
  std::vector<comm::InventoryEntry> inventory(3);
  inventory[0].host = inventory[1].host = "a";
  inventory[2].host = "b";
  inventory[1].pid = 1;
  const WorkerMemory small{.cells = 1'000'000};
  const WorkerMemory large{.cells = 2'000'000,
                           .neighbours = 3'000'000,
                           .messages = 4'000'000,
                           .programs = 5'000'000,
                           .samples = 6'000'000};
  const std::vector<HostingWorker> workers{{.rank = {1}, .n_cells = 1, .memory = small},
                                           {.rank = {2}, .n_cells = 7, .memory = large}};
  // A worker has 6 MB of prepared primitives, a host 13 of libraries, a process 4.
  EXPECT_EQ(memory_report(workers, *dataset, inventory),
            "memory: rank 2 holds most: 26.0 MB, of which 7 cells 2.0, neighbours 3.0, messages "
            "4.0, programs 5.0, samples 6.0\n"
            "memory: a: 28.9 MB in 2 processes, of which ring8 0.9\n"
            "memory: b: 43.9 MB in 1 process, of which ring8 0.9\n");
}

}  // namespace
}  // namespace lipizz::setup
