#include "setup/agreement/agreement.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "setup/agreement/entries.hpp"

namespace lipizz::setup::agreement_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
  entries[2].program.version = "1.1";
  EXPECT_THAT(message_of([&] { check_agreement(entries); }),
              AllOf(HasSubstr("version"), HasSubstr("rank 0 on m has 1.0"),
                    HasSubstr("rank 2 on b has 1.1")));
  entries = entries_on({"m", "a", "b"});
  entries[1].program.build = 7;
  EXPECT_THAT(message_of([&] { check_agreement(entries); }),
              AllOf(HasSubstr("build"), HasSubstr("rank 1 on a")));
  entries = entries_on({"m", "a", "b"});
  entries[1].configuration = 7;
  EXPECT_THAT(message_of([&] { check_agreement(entries); }),
              AllOf(HasSubstr("configuration"), HasSubstr("rank 1 on a")));
  EXPECT_THROW(check_agreement(entries), ConfigError);
}

TEST(Agreement, ranks_divide_into_workers_with_their_helpers) {
  EXPECT_NO_THROW(check_number_of_ranks(2, 1));
  EXPECT_NO_THROW(check_number_of_ranks(9, 2));
  EXPECT_EQ(message_of([] { check_number_of_ranks(8, 2); }),
            "ranks_per_cell: expected a master and 2 ranks for each worker, found 8 ranks; start 7 "
            "or 9");
  EXPECT_EQ(
      message_of([] { check_number_of_ranks(2, 2); }),
      "ranks_per_cell: expected a master and 2 ranks for each worker, found 2 ranks; start 3");
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

}  // namespace
}  // namespace lipizz::setup::agreement_test
