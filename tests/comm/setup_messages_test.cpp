#include "comm/setup_messages.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "core/error.hpp"

namespace lipizz::comm::setup_messages_test {
namespace {

using ::testing::ElementsAre;

template <class Payload>
Payload back_from_the_wire(const Payload& sent) {
  const Bytes bytes = sent.encode();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(Payload::decode(std::span(bytes).first(n)), CommError) << n;
  }
  return Payload::decode(bytes);
}

TEST(InventoryEntry, survives_the_wire) {
  const InventoryEntry entry =
      back_from_the_wire(InventoryEntry{"node1",
                                        77,
                                        {8, 13, 12},
                                        2.5,
                                        {1ULL << 35, {{"the host", 9, 0}, {"own", 8, 77}}},
                                        {"gpu"},
                                        3,
                                        "no driver",
                                        {"1.2", 5, {{"a library", "3.4"}}},
                                        6,
                                        "onednn",
                                        {"baseline", "avx2"},
                                        Speed{0.5, 0.25},
                                        2,
                                        "no file"});
  EXPECT_EQ(entry.host, "node1");
  EXPECT_EQ(entry.pid, 77U);
  EXPECT_EQ(entry.cores.n, 8U);
  EXPECT_EQ(entry.cores.set, 13U);
  EXPECT_EQ(entry.cores.n_of_all, 12U);
  EXPECT_EQ(entry.load, 2.5);
  EXPECT_EQ(entry.memory.bytes, 1ULL << 35);
  EXPECT_THAT(entry.memory.limits,
              ElementsAre(MemoryLimit{"the host", 9, 0}, MemoryLimit{"own", 8, 77}));
  EXPECT_THAT(entry.devices, ElementsAre("gpu"));
  EXPECT_EQ(entry.n_gpus, 3U);
  EXPECT_EQ(entry.why_no_gpu, "no driver");
  EXPECT_EQ(entry.program.version, "1.2");
  EXPECT_THAT(entry.program.libraries, ElementsAre(Library{"a library", "3.4"}));
  EXPECT_EQ(entry.program.build, 5U);
  EXPECT_EQ(entry.configuration, 6U);
  EXPECT_EQ(entry.engine, "onednn");
  EXPECT_THAT(entry.numerics_levels, ElementsAre("baseline", "avx2"));
  EXPECT_EQ(entry.speed->fixed_s, 0.5);
  EXPECT_EQ(entry.speed->per_cell_s, 0.25);
  EXPECT_EQ(entry.exit_code, 2);
  EXPECT_EQ(entry.error, "no file");
}

TEST(InventoryEntry, without_a_speed_none_comes_back) {
  EXPECT_FALSE(back_from_the_wire(InventoryEntry{}).speed.has_value());
}

TEST(InventoryEntry, a_speed_that_is_no_time_is_refused) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const double no_time : {-1.0, infinity, not_a_number}) {
    InventoryEntry entry;
    entry.speed = Speed{no_time, 1};
    EXPECT_THROW(InventoryEntry::decode(entry.encode()), CommError) << no_time;
    entry.speed = Speed{1, no_time};
    EXPECT_THROW(InventoryEntry::decode(entry.encode()), CommError) << no_time;
  }
}

TEST(RunPlan, survives_the_wire) {
  const RunPlan run_plan = back_from_the_wire(RunPlan{true,
                                                      true,
                                                      0,
                                                      "{}",
                                                      "avx2",
                                                      "[]",
                                                      "/runs/a",
                                                      7,
                                                      {"m", "a", "b", "b"},
                                                      {"", "cpu", "cuda:0", "cuda:1"},
                                                      {3, 1, 1},
                                                      true,
                                                      3});
  EXPECT_TRUE(run_plan.go);
  EXPECT_TRUE(run_plan.asks_for_speed);
  EXPECT_EQ(run_plan.experiment, "{}");
  EXPECT_EQ(run_plan.numerics, "avx2");
  EXPECT_EQ(run_plan.convolution_table, "[]");
  EXPECT_EQ(run_plan.output_dir, "/runs/a");
  EXPECT_EQ(run_plan.start, 7U);
  EXPECT_THAT(run_plan.hosts, ElementsAre("m", "a", "b", "b"));
  EXPECT_THAT(run_plan.devices, ElementsAre("", "cpu", "cuda:0", "cuda:1"));
  EXPECT_THAT(run_plan.rank_of_cell, ElementsAre(3, 1, 1));
  EXPECT_TRUE(run_plan.survives_losses);
  EXPECT_EQ(run_plan.ranks_per_cell, 3U);
  EXPECT_FALSE(back_from_the_wire(RunPlan{}).survives_losses);
  RunPlan without_ranks;
  without_ranks.ranks_per_cell = 0;
  EXPECT_THROW(back_from_the_wire(without_ranks), CommError);
}

TEST(RankOfCell, tells_who_hosts_what) {
  const std::vector<std::int32_t> rank_of_cell{3, 1, 1};
  EXPECT_THAT(active_in(rank_of_cell), ElementsAre(Rank{1}, Rank{3}));
  EXPECT_THAT(cells_of(rank_of_cell, Rank{1}), ElementsAre(CellId{1}, CellId{2}));
  EXPECT_THAT(cells_of(rank_of_cell, Rank{2}), ElementsAre());
  EXPECT_THAT(cells_by_rank(rank_of_cell, 4),
              ElementsAre(ElementsAre(), ElementsAre(CellId{1}, CellId{2}), ElementsAre(),
                          ElementsAre(CellId{0})));
}

TEST(RunPlan, a_cell_on_the_master_or_on_no_rank_is_refused) {
  for (const int rank : {0, -1, 2}) {
    RunPlan run_plan;
    run_plan.hosts = {"m", "a"};
    run_plan.devices = {"", "cpu"};
    run_plan.rank_of_cell = {rank};
    EXPECT_THROW(RunPlan::decode(run_plan.encode()), CommError) << rank;
  }
}

TEST(RunPlan, a_device_for_every_rank_is_expected) {
  RunPlan run_plan;
  run_plan.hosts = {"m", "a"};
  EXPECT_THROW(RunPlan::decode(run_plan.encode()), CommError);
}

TEST(Helpers, follow_their_workers) {
  EXPECT_EQ(worker_of({1}, 1), Rank{1});
  EXPECT_EQ(worker_of({7}, 1), Rank{7});
  EXPECT_EQ(worker_of({1}, 3), Rank{1});
  EXPECT_EQ(worker_of({3}, 3), Rank{1});
  EXPECT_EQ(worker_of({4}, 3), Rank{4});
  const std::vector<Rank> some{{1}, {2}, {4}, {6}, {7}};
  EXPECT_THAT(workers_among(some, 3), ElementsAre(Rank{1}, Rank{4}, Rank{7}));
  EXPECT_THAT(workers_among(some, 1), ::testing::ElementsAreArray(some));
  const std::vector<Rank> workers{{1}, {7}};
  EXPECT_THAT(with_helpers(workers, 2), ElementsAre(Rank{1}, Rank{2}, Rank{7}, Rank{8}));
  EXPECT_THAT(with_helpers(workers, 1), ElementsAre(Rank{1}, Rank{7}));
}

TEST(LivingAmong, are_the_workers_that_are_not_lost) {
  EXPECT_THAT(living_among(4, {}), ElementsAre(Rank{1}, Rank{2}, Rank{3}));
  EXPECT_THAT(living_among(4, std::vector<std::int32_t>{3, 1}), ElementsAre(Rank{2}));
  EXPECT_THAT(living_among(1, {}), ElementsAre());
}

}  // namespace
}  // namespace lipizz::comm::setup_messages_test
