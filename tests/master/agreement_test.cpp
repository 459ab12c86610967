#include "master/agreement.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"

namespace lipizz::master {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

comm::InventoryEntry entry_on(const std::string& host) {
  comm::InventoryEntry entry;
  entry.host = host;
  entry.cores = 4;
  entry.memory_bytes = 8'000'000'000;
  entry.version = "1.0";
  entry.engine = "onednn";
  entry.numerics_levels = {"baseline", "avx2"};
  return entry;
}

std::vector<comm::InventoryEntry> entries_on(std::vector<std::string> hosts) {
  std::vector<comm::InventoryEntry> entries;
  for (const std::string& host : hosts) entries.push_back(entry_on(host));
  return entries;
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Agreement, accepts_ranks_that_agree) {
  EXPECT_NO_THROW(check_agreement(entries_on({"m", "a", "b"})));
}

TEST(Agreement, names_the_ranks_and_hosts_that_differ) {
  auto entries = entries_on({"m", "a", "b"});
  entries[2].version = "1.1";
  EXPECT_THAT(message_of([&] { check_agreement(entries); }),
              AllOf(HasSubstr("version"), HasSubstr("rank 0 on m has 1.0"),
                    HasSubstr("rank 2 on b has 1.1")));
  entries = entries_on({"m", "a", "b"});
  entries[1].build = 7;
  EXPECT_THAT(message_of([&] { check_agreement(entries); }),
              AllOf(HasSubstr("build"), HasSubstr("rank 1 on a")));
  entries = entries_on({"m", "a", "b"});
  entries[1].configuration = 7;
  EXPECT_THAT(message_of([&] { check_agreement(entries); }),
              AllOf(HasSubstr("configuration"), HasSubstr("rank 1 on a")));
  EXPECT_THROW(check_agreement(entries), ConfigError);
}

TEST(Agreement, passes_a_failure_on_with_its_code) {
  auto entries = entries_on({"m", "a", "b"});
  entries[1].exit_code = 4;
  entries[1].error = "no such file";
  EXPECT_EQ(message_of([&] { check_agreement(entries); }), "rank 1 on a: no such file");
  try {
    check_agreement(entries);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kData);
  }
  for (auto& entry : entries) {
    entry.exit_code = 2;
    entry.error = "all alike";
  }
  EXPECT_EQ(message_of([&] { check_agreement(entries); }), "all alike");
}

TEST(Agreement, takes_the_highest_numerics_level_that_all_offer) {
  auto entries = entries_on({"m", "a", "b"});
  EXPECT_EQ(agreed_numerics(entries, "auto"), "avx2");
  entries[0].numerics_levels = {"baseline", "avx2", "avx512"};
  EXPECT_EQ(agreed_numerics(entries, "auto"), "avx2");
  entries[2].numerics_levels = {"baseline"};
  EXPECT_EQ(agreed_numerics(entries, "auto"), "baseline");
}

TEST(Agreement, refuses_a_numerics_level_that_one_rank_lacks) {
  auto entries = entries_on({"m", "a", "b"});
  EXPECT_EQ(agreed_numerics(entries, "baseline"), "baseline");
  entries[2].numerics_levels = {"baseline"};
  EXPECT_THAT(message_of([&] { agreed_numerics(entries, "avx2"); }),
              AllOf(HasSubstr("avx2"), HasSubstr("rank 2 on b"), HasSubstr("baseline")));
}

std::vector<comm::InventoryEntry> with_gpus(std::vector<std::uint32_t> n_gpus) {
  auto entries = entries_on({"m", "a", "a", "a", "b"});
  for (std::size_t rank = 0; rank < n_gpus.size(); ++rank) {
    entries[rank].n_gpus = n_gpus[rank];
    if (n_gpus[rank] == 0) entries[rank].why_no_gpu = "no driver";
  }
  return entries;
}

TEST(Agreement, auto_chooses_gpus_where_every_worker_has_one_and_says_so) {
  AgreedDevice agreed = agreed_device(with_gpus({0, 2, 2, 2, 1}), "auto");
  EXPECT_EQ(agreed.name, "cuda") << "the master needs none";
  EXPECT_THAT(agreed.note, AllOf(HasSubstr("auto"), HasSubstr("cuda")));
  agreed = agreed_device(with_gpus({2, 2, 2, 2, 0}), "auto");
  EXPECT_EQ(agreed.name, "cpu");
  EXPECT_THAT(agreed.note, AllOf(HasSubstr("processor"), HasSubstr("rank 4 on b has none"),
                                 HasSubstr("no driver")));
}

TEST(Agreement, what_is_asked_for_by_name_is_taken_without_a_word) {
  for (const char* device : {"cpu", "cuda", "cuda:0", "check", "cuda+cpu"}) {
    const AgreedDevice agreed = agreed_device(with_gpus({0, 2, 2, 2, 1}), device);
    EXPECT_EQ(agreed.name, device);
    EXPECT_EQ(agreed.note, "");
  }
  EXPECT_EQ(agreed_device(with_gpus({0, 0, 0, 0, 0}), "cpu").name, "cpu");
}

TEST(Agreement, a_gpu_that_is_missing_is_named_with_its_rank) {
  for (const char* device : {"cuda", "cuda:0", "check"}) {
    EXPECT_THAT(message_of([&] {
                  agreed_device(with_gpus({2, 2, 2, 2, 0}), device);
                }),
                AllOf(HasSubstr(device), HasSubstr("rank 4 on b has none: no driver")));
  }
  EXPECT_THAT(message_of([&] {
                agreed_device(with_gpus({0, 2, 2, 2, 1}), "cuda:1");
              }),
              AllOf(HasSubstr("rank 4 on b has 1"), HasSubstr("cuda:1")));
}

TEST(Agreement, gpus_and_cores_want_one_gpu_somewhere) {
  EXPECT_EQ(agreed_device(with_gpus({0, 0, 0, 0, 1}), "cuda+cpu").name, "cuda+cpu");
  EXPECT_THAT(message_of([&] {
                agreed_device(with_gpus({1, 0, 0, 0, 0}), "cuda+cpu");
              }),
              AllOf(HasSubstr("cuda+cpu"), HasSubstr("rank 1 on a has none")))
      << "the master's does not count";
}

TEST(Agreement, gpus_of_a_node_are_dealt_out_to_its_workers) {
  const auto entries = with_gpus({2, 2, 2, 2, 1});
  EXPECT_THAT(dealt_devices(entries, "cuda"),
              ElementsAre("", "cuda:0", "cuda:1", "cuda:0", "cuda:0"));
  EXPECT_THAT(dealt_devices(entries, "cuda+cpu"),
              ElementsAre("", "cuda:0", "cuda:1", "cpu", "cuda:0"));
  EXPECT_THAT(dealt_devices(entries, "cuda:0"),
              ElementsAre("", "cuda:0", "cuda:0", "cuda:0", "cuda:0"));
  EXPECT_THAT(dealt_devices(entries, "cpu"), ElementsAre("", "cpu", "cpu", "cpu", "cpu"));
}

TEST(Agreement, cells_are_placed_by_speed_where_it_differs_by_far) {
  EXPECT_EQ(agreed_placement("auto", "cpu"), "shares");
  EXPECT_EQ(agreed_placement("auto", "cuda"), "shares");
  EXPECT_EQ(agreed_placement("auto", "cuda+cpu"), "measured");
  EXPECT_EQ(agreed_placement("measured", "cpu"), "measured");
  EXPECT_EQ(agreed_placement("shares", "cuda+cpu"), "shares");
}

TEST(Agreement, places_by_paces_once_all_workers_have_measured_them) {
  auto entries = entries_on({"m", "a", "b", "c"});
  entries[1].speed = comm::Speed{0.01, 0.001};
  entries[2].speed = comm::Speed{0, 0.005};
  EXPECT_THAT(place_cells(entries, {1, 6}), ElementsAre(1, 1, 2, 2, 3, 3)) << "one has not";
  entries[3].speed = comm::Speed{0, 1};
  EXPECT_THAT(place_cells(entries, {1, 6}), ElementsAre(1, 1, 1, 1, 2, 2));
  EXPECT_THAT(place_cells(entries, {1, 2}), ElementsAre(2, 2));
  const std::vector<std::int32_t> before{1, 1, 1, 1, 2, 2};
  EXPECT_THAT(move_cells(entries, before, {Rank{2}}), ElementsAre(1, 1, 1, 1, 1, 1));
}

// GRID-2: a host's cores are shared out among the workers that run there.
TEST(Agreement, places_by_what_each_worker_has_to_itself) {
  auto entries = entries_on({"m", "big", "small", "small"});
  entries[1].cores = 16;
  entries[1].memory_bytes *= 4;
  // 16 cores against 2 and 2.
  EXPECT_THAT(place_cells(entries, {2, 5}), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 2, 3));
}

TEST(Agreement, cells_of_lost_ranks_move_to_where_there_is_most_room) {
  auto entries = entries_on({"m", "a", "b", "c", "d"});
  const std::vector<std::int32_t> before{1, 2, 3};
  EXPECT_THAT(move_cells(entries, before, {Rank{2}}), ElementsAre(1, 4, 3)) << "to the spare";
  EXPECT_THAT(move_cells(entries, before, {Rank{2}, Rank{4}}), ElementsAre(1, 1, 3));
  EXPECT_THAT(move_cells(entries, before, {Rank{4}}), ElementsAre(1, 2, 3));
  entries[3].cores = 16;
  entries[3].memory_bytes *= 4;
  EXPECT_THAT(move_cells(entries, before, {Rank{1}, Rank{2}, Rank{4}}), ElementsAre(3, 3, 3));
  EXPECT_THAT(move_cells(entries, before, {Rank{2}, Rank{4}}), ElementsAre(1, 3, 3));
}

TEST(Agreement, one_cell_each_makes_local_a_torus) {
  comm::RunPlan run_plan;
  run_plan.hosts = {"m", "a", "a", "a", "a", "a"};
  run_plan.rank_of_cell = {1, 2, 3, 4};
  const comm::Groups each = groups_of(run_plan, {2, 2});
  EXPECT_THAT(each.active, ElementsAre(Rank{1}, Rank{2}, Rank{3}, Rank{4}));
  ASSERT_TRUE(each.torus);
  EXPECT_EQ(each.torus->rows, 2U);
  run_plan.rank_of_cell = {1, 1, 2, 2};
  EXPECT_FALSE(groups_of(run_plan, {2, 2}).torus);
}

TEST(Agreement, the_inventory_reads_well) {
  comm::RunPlan run_plan;
  run_plan.rank_of_cell = {1, 1, 2};
  run_plan.devices = {"", "cuda:0", "cpu", "cpu"};
  auto entries = entries_on({"m", "a", "b", "c"});
  entries[1].devices = {"NVIDIA H200"};
  entries[1].speed = comm::Speed{0.0005, 0.00025};
  EXPECT_THAT(
      inventory_lines(entries, run_plan),
      ElementsAre(
          "rank 0 on m: 4 cores, 8 GB, no accelerator, the master",
          "rank 1 on a: 4 cores, 8 GB, NVIDIA H200, computes with cuda:0 (a batch: 0.5 ms, and "
          "0.25 for each cell), hosts cells 0-1",
          "rank 2 on b: 4 cores, 8 GB, no accelerator, computes with cpu, hosts cell 2",
          "rank 3 on c: 4 cores, 8 GB, no accelerator, computes with cpu, a spare"));
}

}  // namespace
}  // namespace lipizz::master
