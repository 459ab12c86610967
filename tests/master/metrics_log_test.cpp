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
  MetricsLog log{path, 3};
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
  EXPECT_THROW(MetricsLog("/nowhere/metrics.jsonl", 1), CheckpointError);
  MetricsLog full("/dev/full", 1);
  EXPECT_THROW(full.add({{0}, 1, 0, "x"}), CheckpointError);
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
