#include "report/result_details.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::result_details_test {
namespace {

TEST(ResultDetails, are_read_as_the_master_wrote_them) {
  master::RunResult result = result_of_pair();
  result.cells[0].wall_s = {{"gather", 2}, {"helpers", 0.5}, {"total", 8}};
  result.cells[1].wall_s = {{"gather", 1}, {"total", 8}};
  result.cells[0].cpu_s = {{"train", 3}};
  result.cells[0].fingerprint = 0xab;
  result.cells[0].exchange_messages = 7;
  result.cells[0].exchange_bytes = 210;
  result.traffic.unauthenticated = 3;
  result.engine = "onednn";
  result.inventory[1].host = "node";
  result.lost = {{1}};
  result.provenance.origin.command = {"lipizz", "--grid", "1x2"};
  const TemporaryFolder folder;
  write_text(folder / "result.json", master::result_json(result));
  const auto details = read_result_details(folder.path());
  ASSERT_TRUE(details);
  ASSERT_EQ(details->times.size(), 1);
  EXPECT_EQ(details->times[0].rank, Rank{1});
  EXPECT_EQ(details->times[0].n_cells, 2);
  EXPECT_EQ(details->times[0].waited_s, 3);
  EXPECT_EQ(details->times[0].helpers_s, 0.5);
  EXPECT_EQ(details->times[0].total_s, 16);
  EXPECT_EQ(details->times[0].host, "node");
  EXPECT_EQ(details->times[0].cpu_s[0].name, "train");
  EXPECT_EQ(details->times[0].cpu_s[0].value, 3);
  ASSERT_EQ(details->traffic.size(), 5);
  EXPECT_EQ(details->traffic[3].name, "exchange");
  EXPECT_EQ(details->traffic[3].messages, 7);
  EXPECT_EQ(details->traffic[3].bytes, 210);
  EXPECT_TRUE(std::isnan(details->traffic[0].bytes_per_cell_and_generation));
  EXPECT_EQ(details->n_unauthenticated, 3);
  EXPECT_EQ(details->cells[1].score, 3);
  EXPECT_EQ(details->cells[0].fingerprint, "00000000000000ab");
  EXPECT_EQ(details->lost, std::vector{Rank{1}});
  EXPECT_EQ(details->engine, "onednn");
  EXPECT_EQ(details->command, (std::vector<std::string>{"lipizz", "--grid", "1x2"}));
}

TEST(ResultDetails, a_run_without_result_has_none) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_result_details(folder.path()));
}

TEST(ResultDetails, keys_that_are_missing_are_left_out) {
  const ResultDetails details = parse_result_details("{}", "here");
  EXPECT_TRUE(details.times.empty());
  EXPECT_TRUE(details.traffic.empty());
}

TEST(ResultDetails, other_text_is_an_error) {
  for (const char* text :
       {"", "[]", "null", R"({"profile":{}})", R"({"profile":[{}]})", R"({"profile":[[]]})",
        R"({"traffic":[]})", R"({"traffic":{"a":{}}})", R"({"cells":[1]})",
        R"({"times":{"started":1}})", R"({"command":[1]})"}) {
    EXPECT_THROW(parse_result_details(text, "here"), CheckpointError) << text;
  }
  EXPECT_THROW(parse_result_details(std::string(500'000, '['), "here"), CheckpointError);
}

}  // namespace
}  // namespace lipizz::report::result_details_test
