#include "comm/setup_messages.hpp"

#include <gmock/gmock.h>

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
                                                                 "1.2",
                                                                 5,
                                                                 6,
                                                                 "onednn",
                                                                 {"baseline", "avx2"},
                                                                 2,
                                                                 "no file"});
  EXPECT_EQ(entry.host, "node1");
  EXPECT_EQ(entry.pid, 77U);
  EXPECT_EQ(entry.cores, 8U);
  EXPECT_EQ(entry.memory_bytes, 1ULL << 35);
  EXPECT_THAT(entry.devices, ElementsAre("gpu"));
  EXPECT_EQ(entry.version, "1.2");
  EXPECT_EQ(entry.build, 5U);
  EXPECT_EQ(entry.configuration, 6U);
  EXPECT_EQ(entry.engine, "onednn");
  EXPECT_THAT(entry.numerics_levels, ElementsAre("baseline", "avx2"));
  EXPECT_EQ(entry.exit_code, 2);
  EXPECT_EQ(entry.error, "no file");
}

TEST(Verdict, survives_the_wire) {
  const Verdict verdict = back_from_the_wire(
      Verdict{true, 0, "{}", "avx2", "[]", "/runs/a", 7, {"m", "a", "b", "b"}, {3, 1, 1}, true});
  EXPECT_TRUE(verdict.go);
  EXPECT_EQ(verdict.experiment, "{}");
  EXPECT_EQ(verdict.numerics, "avx2");
  EXPECT_EQ(verdict.convolution_table, "[]");
  EXPECT_EQ(verdict.output_dir, "/runs/a");
  EXPECT_EQ(verdict.start, 7U);
  EXPECT_THAT(verdict.hosts, ElementsAre("m", "a", "b", "b"));
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
    const Verdict verdict{true, 0, "", "", "", "", 0, {"m", "a"}, {rank}, false};
    EXPECT_THROW(Verdict::decode(verdict.encode()), CommError) << rank;
  }
}

TEST(LivingAmong, are_the_workers_that_are_not_lost) {
  EXPECT_THAT(living_among(4, {}), ElementsAre(Rank{1}, Rank{2}, Rank{3}));
  EXPECT_THAT(living_among(4, std::vector<std::int32_t>{3, 1}), ElementsAre(Rank{2}));
  EXPECT_THAT(living_among(1, {}), ElementsAre());
}

}  // namespace
}  // namespace lipizz::comm
