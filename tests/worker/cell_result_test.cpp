#include "worker/cell_result.hpp"

#include <gtest/gtest.h>

namespace lipizz::worker::cell_result_test {
namespace {

TEST(CellResult, has_all_that_the_report_and_the_profile_say) {
  coev::CellReport report;
  report.cell = {3};
  report.score = 1.5;
  report.score_details = {{"modes", 7}};
  report.class_shares = {0.25, 0.75};
  report.mixture = {{CellId{3}, 0.9}, {CellId{4}, 0.1}};
  TrainingLoop::Seconds seconds;
  seconds.cpu.add("train", 2);
  seconds.wall.add("gather", 3);
  const comm::CellResult result = cell_result(report, 42, seconds, {.messages = 8, .bytes = 99});
  EXPECT_EQ(result.cell, CellId{3});
  EXPECT_EQ(result.score, 1.5);
  EXPECT_EQ(result.fingerprint, 42U);
  ASSERT_EQ(result.details.size(), 1U);
  EXPECT_EQ(result.details[0].name, "modes");
  EXPECT_EQ(result.details[0].value, 7);
  EXPECT_EQ(result.class_shares, report.class_shares);
  ASSERT_EQ(result.mixture.size(), 2U);
  EXPECT_EQ(result.mixture[1].cell, CellId{4});
  EXPECT_EQ(result.mixture[1].weight, 0.1);
  ASSERT_EQ(result.cpu_s.size(), 1U);
  EXPECT_EQ(result.cpu_s[0].value, 2);
  ASSERT_EQ(result.wall_s.size(), 1U);
  EXPECT_EQ(result.wall_s[0].name, "gather");
  EXPECT_EQ(result.exchange_messages, 8U);
  EXPECT_EQ(result.exchange_bytes, 99U);
}

}  // namespace
}  // namespace lipizz::worker::cell_result_test
