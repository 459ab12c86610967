#include "comm/setup_messages.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "core/error.hpp"

namespace lipizz::comm {
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
  const InventoryEntry entry = back_from_the_wire(InventoryEntry{"node1",
                                                                 77,
                                                                 8,
                                                                 1ULL << 35,
                                                                 {"gpu"},
                                                                 3,
                                                                 "no driver",
                                                                 "1.2",
                                                                 5,
                                                                 6,
                                                                 "onednn",
                                                                 {"baseline", "avx2"},
                                                                 Pace{0.5, 0.25},
                                                                 2,
                                                                 "no file"});
  EXPECT_EQ(entry.host, "node1");
  EXPECT_EQ(entry.pid, 77U);
  EXPECT_EQ(entry.cores, 8U);
  EXPECT_EQ(entry.memory_bytes, 1ULL << 35);
  EXPECT_THAT(entry.devices, ElementsAre("gpu"));
  EXPECT_EQ(entry.n_gpus, 3U);
  EXPECT_EQ(entry.why_no_gpu, "no driver");
  EXPECT_EQ(entry.version, "1.2");
  EXPECT_EQ(entry.build, 5U);
  EXPECT_EQ(entry.configuration, 6U);
  EXPECT_EQ(entry.engine, "onednn");
  EXPECT_THAT(entry.numerics_levels, ElementsAre("baseline", "avx2"));
  EXPECT_EQ(entry.pace->fixed_s, 0.5);
  EXPECT_EQ(entry.pace->per_cell_s, 0.25);
  EXPECT_EQ(entry.exit_code, 2);
  EXPECT_EQ(entry.error, "no file");
}

TEST(InventoryEntry, without_a_pace_none_comes_back) {
  EXPECT_FALSE(back_from_the_wire(InventoryEntry{}).pace.has_value());
}

TEST(InventoryEntry, a_pace_that_is_no_time_is_refused) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const double no_time : {-1.0, infinity, not_a_number}) {
    InventoryEntry entry;
    entry.pace = Pace{no_time, 1};
    EXPECT_THROW(InventoryEntry::decode(entry.encode()), CommError) << no_time;
    entry.pace = Pace{1, no_time};
    EXPECT_THROW(InventoryEntry::decode(entry.encode()), CommError) << no_time;
  }
}

TEST(Verdict, survives_the_wire) {
  const Verdict verdict = back_from_the_wire(Verdict{true,
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
                                                     true});
  EXPECT_TRUE(verdict.go);
  EXPECT_TRUE(verdict.asks_for_pace);
  EXPECT_EQ(verdict.experiment, "{}");
  EXPECT_EQ(verdict.numerics, "avx2");
  EXPECT_EQ(verdict.convolution_table, "[]");
  EXPECT_EQ(verdict.output_dir, "/runs/a");
  EXPECT_EQ(verdict.start, 7U);
  EXPECT_THAT(verdict.hosts, ElementsAre("m", "a", "b", "b"));
  EXPECT_THAT(verdict.devices, ElementsAre("", "cpu", "cuda:0", "cuda:1"));
  EXPECT_THAT(verdict.rank_of_cell, ElementsAre(3, 1, 1));
  EXPECT_TRUE(verdict.survives_losses);
  EXPECT_FALSE(back_from_the_wire(Verdict{}).survives_losses);
}

TEST(RankOfCell, tells_who_hosts_what) {
  const std::vector<std::int32_t> rank_of_cell{3, 1, 1};
  EXPECT_THAT(active_in(rank_of_cell), ElementsAre(Rank{1}, Rank{3}));
  EXPECT_THAT(cells_of(rank_of_cell, Rank{1}), ElementsAre(CellId{1}, CellId{2}));
  EXPECT_THAT(cells_of(rank_of_cell, Rank{2}), ElementsAre());
}

TEST(Verdict, a_cell_on_the_master_or_on_no_rank_is_refused) {
  for (const int rank : {0, -1, 2}) {
    Verdict verdict;
    verdict.hosts = {"m", "a"};
    verdict.devices = {"", "cpu"};
    verdict.rank_of_cell = {rank};
    EXPECT_THROW(Verdict::decode(verdict.encode()), CommError) << rank;
  }
}

TEST(Verdict, a_device_for_every_rank_is_expected) {
  Verdict verdict;
  verdict.hosts = {"m", "a"};
  EXPECT_THROW(Verdict::decode(verdict.encode()), CommError);
}

TEST(LivingAmong, are_the_workers_that_are_not_lost) {
  EXPECT_THAT(living_among(4, {}), ElementsAre(Rank{1}, Rank{2}, Rank{3}));
  EXPECT_THAT(living_among(4, std::vector<std::int32_t>{3, 1}), ElementsAre(Rank{2}));
  EXPECT_THAT(living_among(1, {}), ElementsAre());
}

}  // namespace
}  // namespace lipizz::comm
