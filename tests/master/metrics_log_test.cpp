#include "master/metrics_log.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "core/error.hpp"

namespace lipizz::master {
namespace {

namespace fs = std::filesystem;
const double kNaN = std::nan("");

struct Fixture {
  ~Fixture() { fs::remove(path); }

  std::vector<std::string> lines() const {
    std::ifstream file(path);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }
  auto add(std::uint32_t cell, Generation generation, double score) {
    return log.add(
        {{cell}, generation, score, "g" + std::to_string(generation) + "c" + std::to_string(cell)});
  }

  fs::path path = fs::path(testing::TempDir()) / "lipizz_metrics_log_test.jsonl";
  MetricsLog log{path, 3, 0};
};

TEST(MetricsLog, writes_whole_generations_in_order_whatever_comes_first) {
  Fixture run;
  EXPECT_TRUE(run.add(2, 1, 5).empty());
  EXPECT_TRUE(run.add(2, 2, 1).empty()) << "ahead of the others";
  EXPECT_TRUE(run.add(0, 1, 7).empty());
  EXPECT_TRUE(run.lines().empty());
  const auto completed = run.add(1, 1, 6);
  ASSERT_EQ(completed.size(), 1U);
  EXPECT_EQ(completed[0].generation, 1U);
  EXPECT_EQ(completed[0].best, CellId{2});
  EXPECT_EQ(completed[0].score, 5);
  EXPECT_THAT(run.lines(), testing::ElementsAre("g1c0", "g1c1", "g1c2"));
  run.add(1, 2, 1);
  EXPECT_EQ(run.add(0, 2, 3)[0].best, CellId{1}) << "ties go to the lower cell";
  EXPECT_EQ(run.lines().size(), 6U);
}

TEST(MetricsLog, nan_loses) {
  Fixture run;
  run.add(0, 1, kNaN);
  run.add(1, 1, 9);
  EXPECT_EQ(run.add(2, 1, kNaN)[0].best, CellId{1});
  run.add(0, 2, kNaN);
  run.add(1, 2, kNaN);
  const auto completed = run.add(2, 2, kNaN);
  EXPECT_EQ(completed[0].best, CellId{0});
  EXPECT_TRUE(std::isnan(completed[0].score));
}

TEST(MetricsLog, refuses_what_nobody_can_tell) {
  Fixture run;
  run.add(0, 1, 1);
  EXPECT_THROW(run.add(0, 1, 1), CommError);
  EXPECT_THROW(run.add(3, 1, 1), CommError);
  EXPECT_THROW(run.add(1, 0, 1), CommError);
}

TEST(MetricsLog, an_unusable_place_and_a_full_disk_are_errors) {
  EXPECT_THROW(MetricsLog("/nowhere/metrics.jsonl", 1, 0), CheckpointError);
  MetricsLog full("/dev/full", 1, 0);
  EXPECT_THROW(full.add({{0}, 1, 0, "x"}), CheckpointError);
}

TEST(MetricsLog, a_resumed_run_keeps_its_lines_and_goes_on_behind_them) {
  Fixture run;
  for (const Generation generation : {1U, 2U}) {
    for (const std::uint32_t cell : {0U, 1U, 2U}) run.add(cell, generation, 1);
  }
  std::ofstream(run.path, std::ios::app) << "g3c0\nhalf a li";
  run.log = MetricsLog(run.path, 3, 1);
  EXPECT_THAT(run.lines(), testing::ElementsAre("g1c0", "g1c1", "g1c2"));
  EXPECT_THROW(run.add(0, 1, 1), CommError) << "that is told";
  for (const std::uint32_t cell : {2U, 1U}) EXPECT_TRUE(run.add(cell, 2, 1).empty());
  EXPECT_EQ(run.add(0, 2, 1)[0].generation, 2U);
  EXPECT_THAT(run.lines(), testing::ElementsAre("g1c0", "g1c1", "g1c2", "g2c0", "g2c1", "g2c2"));
}

TEST(MetricsLog, has_no_gap_and_no_repeat_when_cells_go_back) {
  Fixture run;
  for (const Generation generation : {1U, 2U}) {
    for (const std::uint32_t cell : {0U, 1U, 2U}) run.add(cell, generation, 1);
  }
  run.add(1, 3, 1);
  run.log.go_back();  // to the end of generation 1, say
  for (const std::uint32_t cell : {0U, 1U, 2U}) EXPECT_TRUE(run.add(cell, 2, 1).empty());
  EXPECT_TRUE(run.add(0, 3, 5).empty());
  EXPECT_TRUE(run.add(1, 3, 4).empty()) << "what it told before going back does not count";
  const auto completed = run.add(2, 3, 6);
  ASSERT_EQ(completed.size(), 1U);
  EXPECT_EQ(completed[0].generation, 3U);
  EXPECT_EQ(completed[0].score, 4);
  EXPECT_THAT(run.lines(), testing::ElementsAre("g1c0", "g1c1", "g1c2", "g2c0", "g2c1", "g2c2",
                                                "g3c0", "g3c1", "g3c2"));
  EXPECT_THROW(run.add(2, 3, 6), CommError) << "which is told now";
}

TEST(MetricsLog, goes_back_as_often_as_need_be) {
  Fixture run;
  for (const std::uint32_t cell : {0U, 1U, 2U}) run.add(cell, 1, 1);
  run.log.go_back();
  for (const std::uint32_t cell : {0U, 1U, 2U}) run.add(cell, 2, 1);
  run.log.go_back();
  for (const Generation generation : {1U, 2U}) {
    for (const std::uint32_t cell : {0U, 1U, 2U}) {
      EXPECT_TRUE(run.add(cell, generation, 1).empty());
    }
  }
  EXPECT_EQ(run.lines().size(), 6U);
}

TEST(MetricsLog, a_run_from_its_seed_keeps_nothing) {
  Fixture run;
  std::ofstream(run.path) << "of another life\n";
  run.log = MetricsLog(run.path, 3, 0);
  EXPECT_THAT(run.lines(), testing::IsEmpty());
}

TEST(MetricsLog, fewer_lines_than_there_should_be_are_refused_and_left_alone) {
  Fixture run;
  std::ofstream(run.path) << "a\nb\nc\nd\ne\nhalf of f";
  EXPECT_NO_THROW(MetricsLog(run.path, 5, 1));
  std::ofstream(run.path) << "a\nb\nc\nd\ne\nhalf of f";
  try {
    const MetricsLog log(run.path, 3, 2);
    FAIL();
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("expected 6 lines to go on from, found 5"));
  }
  EXPECT_EQ(run.lines().size(), 6U);
  EXPECT_THROW(MetricsLog("/nowhere/metrics.jsonl", 3, 2), CheckpointError);
}

TEST(MetricsLog, counts_the_generations_of_which_all_is_there) {
  const Fixture run;
  const auto counted = [&](const std::string& text) {
    std::ofstream(run.path) << text;
    return MetricsLog::generations_in(run.path, 3);
  };
  EXPECT_EQ(counted(""), 0U);
  EXPECT_EQ(counted("a\nb\nc"), 0U);
  EXPECT_EQ(counted("a\nb\nc\n"), 1U);
  EXPECT_EQ(counted("a\nb\nc\nd\ne\n"), 1U);
  EXPECT_EQ(counted("a\nb\nc\nd\ne\nf\nhalf"), 2U);
  EXPECT_EQ(MetricsLog::generations_in("/nowhere/metrics.jsonl", 3), 0U);
}

TEST(IsBetter, orders_scores) {
  EXPECT_TRUE(is_better(1, {5}, 2, {0}));
  EXPECT_FALSE(is_better(2, {0}, 1, {5}));
  EXPECT_TRUE(is_better(1, {0}, 1, {1}));
  EXPECT_FALSE(is_better(1, {1}, 1, {0}));
  EXPECT_TRUE(is_better(1, {5}, kNaN, {0}));
  EXPECT_FALSE(is_better(kNaN, {0}, 1, {5}));
  EXPECT_TRUE(is_better(kNaN, {0}, kNaN, {1}));
}

}  // namespace
}  // namespace lipizz::master
