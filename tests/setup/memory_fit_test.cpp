#include "setup/memory_fit.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::setup::memory_fit_test {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;

// Two workers on node a and one on node b, each of which needs a gigabyte; the dataset takes half
// of one.
class MemoryFits : public ::testing::Test {
 protected:
  MemoryFits() {
    estimate_.dataset.shape = {.height = 1, .width = 498, .channels = 1};
    estimate_.dataset.n_train = 1'000'000;
    for (int rank = 1; rank <= 3; ++rank) {
      estimate_.workers.push_back({.rank = {rank},
                                   .n_cells = 4,
                                   .memory = {.programs = kGigabyte - WorkerMemory::kEngineBytes}});
    }
    for (std::size_t rank = 0; rank < 4; ++rank) {
      inventory_[rank].host = rank < 3 ? "a" : "b";
      inventory_[rank].memory.limits = {{"the memory of the host", 10 * kGigabyte, 0}};
    }
  }

  void limit_all(const std::string& name, std::uint64_t free_bytes) {
    for (std::size_t rank = 0; rank < 4; ++rank) {
      inventory_[rank].memory.limits.push_back({name, free_bytes, rank});
    }
  }

  std::vector<MemoryFit> fits() const { return memory_fits(estimate_, inventory_); }

  std::string refusal() const {
    try {
      check_memory(fits());
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  }

  MemoryEstimate estimate_;
  std::vector<comm::InventoryEntry> inventory_ = std::vector<comm::InventoryEntry>(4);
};

TEST_F(MemoryFits, workers_of_a_host_share_its_memory_and_the_dataset) {
  ASSERT_EQ(fits().size(), 2U);
  EXPECT_EQ(fits()[0].host, "a");
  EXPECT_EQ(fits()[0].n_workers, 2U);
  EXPECT_EQ(fits()[0].needed_bytes, 5 * kGigabyte / 2);
  EXPECT_EQ(fits()[1].host, "b");
  EXPECT_EQ(fits()[1].n_cells, 4U);
  EXPECT_EQ(fits()[1].needed_bytes, 3 * kGigabyte / 2);
  EXPECT_EQ(refusal(), "");
}

TEST_F(MemoryFits, a_process_has_a_limit_of_its_own) {
  limit_all("ulimit -v", 2 * kGigabyte);  // the second one of `a` does without the dataset
  EXPECT_EQ(fits()[0].limit, "ulimit -v");
  EXPECT_EQ(fits()[0].n_workers, 1U);
  EXPECT_EQ(fits()[0].needed_bytes, 3 * kGigabyte / 2);
  EXPECT_EQ(refusal(), "");
}

TEST_F(MemoryFits, threads_of_a_process_share_its_limit) {
  limit_all("ulimit -v", 2 * kGigabyte);
  for (comm::InventoryEntry& entry : inventory_) entry.memory.limits.back().shared_by = 7;
  EXPECT_EQ(fits()[0].n_workers, 2U);
  EXPECT_EQ(refusal(), "") << "2.5 of 2 GB may be an estimate that is too high";
}

TEST_F(MemoryFits, too_little_is_refused_with_the_figures) {
  limit_all("the control group's /x/memory.max", kGigabyte);
  EXPECT_THAT(refusal(),
              ::testing::StartsWith(
                  "memory: a needs 1.5 GB more for 4 cells on 1 worker, but 1.0 GB are left of the "
                  "control group's /x/memory.max, and another host lacks some too; use a smaller "
                  "grid or more hosts"));
  EXPECT_THAT(refusal(), ::testing::EndsWith("--set check_memory=false"));
}

TEST_F(MemoryFits, the_first_to_look_saw_what_was_there_before_others_took_it) {
  inventory_[1].memory.limits[0].free_bytes = kGigabyte;
  inventory_[2].memory.limits[0].free_bytes = 3 * kGigabyte;
  EXPECT_EQ(fits()[0].free_bytes, 3 * kGigabyte);
}

TEST_F(MemoryFits, programs_on_a_gpu_do_not_lie_in_the_memory_of_the_host) {
  for (HostingWorker& worker : estimate_.workers) worker.is_on_gpu = true;
  EXPECT_EQ(fits()[1].needed_bytes, kGigabyte / 2 + WorkerMemory::kEngineBytes);
}

TEST_F(MemoryFits, without_a_known_limit_nothing_is_refused) {
  for (comm::InventoryEntry& entry : inventory_) entry.memory.limits.clear();
  EXPECT_TRUE(fits().empty());
  EXPECT_EQ(refusal(), "");
}

TEST(BytesText, has_the_unit_that_fits) {
  EXPECT_EQ(bytes_text(0), "0.0 MB");
  EXPECT_EQ(bytes_text(731'449'999), "731.4 MB");
  EXPECT_EQ(bytes_text(144'000'000'000), "144.0 GB");
  EXPECT_EQ(bytes_text(110'540'000'000'000), "110.5 TB");
}

}  // namespace
}  // namespace lipizz::setup::memory_fit_test
