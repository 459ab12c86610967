#include "master/metrics_log.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "checkpoint/checked_line.hpp"
#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::master::metrics_log_test {
namespace {

namespace fs = std::filesystem;
const double kNaN = std::nan("");

struct Fixture {
  // Each line as `g1c0`, without its checksum.
  std::vector<std::string> lines() const {
    std::ifstream file(path);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) {
      EXPECT_TRUE(checkpoint::is_whole(line)) << line;
      const auto json = nlohmann::json::parse(line);
      all.push_back("g" + json["generation"].dump() + "c" + json["cell"].dump());
    }
    return all;
  }
  static std::string line(std::uint32_t cell, Generation generation) {
    return "{\"generation\":" + std::to_string(generation) + ",\"cell\":" + std::to_string(cell) +
           "}";
  }
  auto add(std::uint32_t cell, Generation generation, double score, bool has_diverged = false) {
    return log.add({{cell}, generation, score, line(cell, generation), has_diverged});
  }

  TemporaryFolder folder;
  fs::path path = folder / "metrics.jsonl";
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
  EXPECT_THAT(run.lines(), ::testing::ElementsAre("g1c0", "g1c1", "g1c2"));
  run.add(1, 2, 1);
  EXPECT_EQ(run.add(0, 2, 3)[0].best, CellId{1}) << "ties go to the lower cell";
  EXPECT_EQ(run.lines().size(), 6U);
}

TEST(MetricsLog, tells_whether_every_cell_has_diverged) {
  Fixture run;
  run.add(0, 1, 1, true);
  run.add(1, 1, 1, false);
  EXPECT_FALSE(run.add(2, 1, 1, true)[0].has_diverged);
  run.add(0, 2, 1, true);
  run.add(1, 2, 1, true);
  EXPECT_TRUE(run.add(2, 2, 1, true)[0].has_diverged);
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
  EXPECT_THROW(run.log.add({{1}, 1, 1, "no object"}), CommError);
  EXPECT_THROW(run.log.add({{1}, 1, 1, "{}"}), CommError);
}

TEST(MetricsLog, an_unusable_place_is_an_error) {
  EXPECT_THROW(MetricsLog("/nowhere/metrics.jsonl", 1, 0), CheckpointError);
}

TEST(MetricsLog, lines_wait_on_a_full_disk_and_are_not_said_to_be_on_it) {
  MetricsLog full("/dev/full", 1, 0);
  EXPECT_EQ(full.add({{0}, 1, 0, Fixture::line(0, 1)}).size(), 1U);
  EXPECT_THAT(full.file().shortage(), ::testing::HasSubstr("/dev/full: No space left"));
  EXPECT_THROW(full.sync(), CheckpointError);
}

TEST(MetricsLog, a_resumed_run_keeps_its_lines_and_goes_on_behind_them) {
  Fixture run;
  for (const Generation generation : {1U, 2U}) {
    for (const std::uint32_t cell : {0U, 1U, 2U}) run.add(cell, generation, 1);
  }
  std::ofstream(run.path, std::ios::app) << "half a li";
  run.log = MetricsLog(run.path, 3, 1);
  EXPECT_THAT(run.lines(), ::testing::ElementsAre("g1c0", "g1c1", "g1c2"));
  EXPECT_THROW(run.add(0, 1, 1), CommError) << "that is told";
  for (const std::uint32_t cell : {2U, 1U}) EXPECT_TRUE(run.add(cell, 2, 1).empty());
  EXPECT_EQ(run.add(0, 2, 1)[0].generation, 2U);
  EXPECT_THAT(run.lines(), ::testing::ElementsAre("g1c0", "g1c1", "g1c2", "g2c0", "g2c1", "g2c2"));
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
  EXPECT_THAT(run.lines(), ::testing::ElementsAre("g1c0", "g1c1", "g1c2", "g2c0", "g2c1", "g2c2",
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

TEST(MetricsLog, a_run_from_its_seed_keeps_nothing_and_throws_nothing_away) {
  Fixture run;
  std::ofstream(run.path) << "of another life\n";
  run.log = MetricsLog(run.path, 3, 0);
  EXPECT_THAT(run.lines(), ::testing::IsEmpty());
  EXPECT_EQ(checkpoint::testing::read_file(run.folder / "set-aside-1/metrics.jsonl"),
            "of another life\n");
}

TEST(MetricsLog, fewer_lines_than_there_should_be_are_refused) {
  Fixture run;
  for (const std::uint32_t cell : {0U, 1U, 2U}) run.add(cell, 1, 1);
  EXPECT_THROW(MetricsLog(run.path, 3, 2), CheckpointError);
  EXPECT_THROW(MetricsLog("/nowhere/metrics.jsonl", 3, 2), CheckpointError);
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
}  // namespace lipizz::master::metrics_log_test
