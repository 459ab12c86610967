#include "setup/memory_report.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lipizz::setup::memory_report_test {
namespace {

// A worker has 6 MB of prepared primitives, a host 13 of libraries, a process 4.
class MemoryReport : public ::testing::Test {
 protected:
  MemoryReport() {
    estimate_.dataset.name = "points";
    estimate_.dataset.shape = {.height = 10, .width = 10, .channels = 1};
    estimate_.dataset.n_train = 9'000;  // with their labels 909,000 bytes
    estimate_.workers = {{.rank = {1}, .n_cells = 1, .memory = {.cells = 1'000'000}},
                         {.rank = {2},
                          .n_cells = 7,
                          .memory = {.cells = 2'000'000,
                                     .neighbours = 3'000'000,
                                     .messages = 4'000'000,
                                     .programs = 5'000'000,
                                     .samples = 6'000'000}}};
    inventory_[0].host = inventory_[1].host = "a";
    inventory_[2].host = "b";
    inventory_[1].pid = 1;
  }

  std::string text() const { return memory_report(estimate_, inventory_); }

  MemoryEstimate estimate_;
  std::vector<comm::InventoryEntry> inventory_ = std::vector<comm::InventoryEntry>(3);
};

TEST_F(MemoryReport, adds_up_workers_processes_and_dataset_of_each_host) {
  EXPECT_EQ(text(),
            "memory: rank 2 holds most: 26.0 MB, of which 7 cells 2.0 MB, neighbours 3.0 MB, "
            "messages 4.0 MB, programs 5.0 MB, samples 6.0 MB\n"
            "memory: a: 28.9 MB in 2 processes, of which points 0.9 MB\n"
            "memory: b: 43.9 MB in 1 process, of which points 0.9 MB\n");
}

TEST_F(MemoryReport, tells_of_each_rank_that_trains_the_cells_of_the_one_that_holds_most) {
  estimate_.workers.insert(estimate_.workers.begin() + 1, {.rank = {3}, .memory = {}});
  estimate_.workers.push_back({.rank = {4}, .memory = {.cells = 1'000'000, .on_disk = 500'000}});
  estimate_.workers.push_back({.rank = {5}, .memory = {.programs = 2'000'000}});
  estimate_.workers.push_back({.rank = {6}, .n_cells = 1, .memory = {}});
  inventory_.resize(7, inventory_[2]);
  const std::string of_most =
      ": 26.0 MB, of which 7 cells 2.0 MB, neighbours 3.0 MB, messages 4.0 MB, programs 5.0 MB, "
      "samples 6.0 MB\n";
  const std::string of_first_helper =
      "memory: rank 4 holds: 7.0 MB, of which networks 1.0 MB, neighbours 0.0 MB, messages 0.0 MB, "
      "programs 0.0 MB, samples 0.0 MB, and 0.5 MB on disk\n";
  EXPECT_TRUE(text().starts_with(
      "memory: rank 2 holds most" + of_most + of_first_helper +
      "memory: rank 5 holds: 8.0 MB, of which networks 0.0 MB, neighbours 0.0 MB, messages 0.0 MB, "
      "programs 2.0 MB, samples 0.0 MB\nmemory: a: "))
      << text();

  estimate_.workers[4].memory.programs = 30'000'000;
  EXPECT_TRUE(text().starts_with("memory: rank 2 holds" + of_most + of_first_helper +
                                 "memory: rank 5 holds most: 36.0 MB, of which networks"))
      << text();
}

TEST_F(MemoryReport, says_what_is_left_on_each_host_and_where_it_is_not_enough) {
  inventory_[1].memory.limits = {{"the memory of the host", 25'000'000'000, 0}};
  inventory_[2].memory.limits = {{"the memory of the host", 20'000'000, 0}};
  EXPECT_TRUE(text().ends_with(
      "of which points 0.9 MB; 25.0 GB are left of the memory of the host\n"
      "memory: b: 43.9 MB in 1 process, of which points 0.9 MB; 20.0 MB are left of the memory of "
      "the host, and 26.9 MB more are needed: not enough\n"))
      << text();
}

}  // namespace
}  // namespace lipizz::setup::memory_report_test
