#include "report/history.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/made_history.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::history_test {
namespace {

TEST(History, tells_what_its_lines_told) {
  History history({1, 2});
  MetricsLine line = plain_line(1, 1, 7);
  line.generator.origin = {0};
  line.generator.is_replaced = true;
  line.mixture = {{{1}, 0.75}, {{0}, 0.25}};
  EXPECT_TRUE(history.add(plain_line(0, 1, 3)));
  EXPECT_TRUE(history.add(line));
  EXPECT_EQ(history.generations(), 1);
  EXPECT_EQ(history.at(Figure::kScore, {1}, 1), 7);
  EXPECT_EQ(history.at(Figure::kGeneratorLoss, {1}, 1), 0.5);
  EXPECT_EQ(history.at(Figure::kGeneratorRate, {1}, 1), 0.25);
  EXPECT_EQ(history.at(Figure::kDiscriminatorLoss, {1}, 1), 1.5);
  EXPECT_EQ(history.at(Figure::kDiscriminatorRate, {1}, 1), 0.125);
  EXPECT_EQ(history.parent(NetworkRole::kGenerator, {1}, 1), CellId{0});
  EXPECT_EQ(history.parent(NetworkRole::kDiscriminator, {1}, 1), CellId{1});
  ASSERT_EQ(history.mixture({1}, 1).size(), 2);
  EXPECT_EQ(history.mixture({1}, 1)[1].cell, CellId{0});
  EXPECT_EQ(history.mixture({1}, 1)[1].weight, 0.25F);
}

TEST(History, an_origin_of_a_network_that_was_not_taken_is_not_its_parent) {
  History history({1, 2});
  MetricsLine line = plain_line(0, 1);
  line.generator.origin = {1};
  history.add(line);
  EXPECT_EQ(history.parent(NetworkRole::kGenerator, {0}, 1), CellId{0});
}

TEST(History, a_network_that_was_copied_comes_from_its_origin) {
  History history({1, 2});
  MetricsLine line = plain_line(0, 1);
  line.generator.origin = {1};
  line.generator.is_copied = true;
  history.add(line);
  EXPECT_EQ(history.parent(NetworkRole::kGenerator, {0}, 1), CellId{1});
}

TEST(History, a_line_that_is_missing_is_a_gap) {
  History history({1, 2});
  for (const auto& [cell, generation] : {std::pair{0U, 1U}, {1U, 1U}, {1U, 2U}}) {
    history.add(plain_line(cell, generation, 5));
  }
  const std::vector<float> series = history.series(Figure::kScore, {0});
  ASSERT_EQ(series.size(), 2);
  EXPECT_EQ(series[0], 5);
  EXPECT_TRUE(std::isnan(series[1]));
  EXPECT_TRUE(history.mixture({0}, 2).empty());
  EXPECT_EQ(history.parent(NetworkRole::kGenerator, {0}, 2), CellId{0});
}

TEST(History, seconds_add_up_and_the_newest_line_stays) {
  History history({1, 1});
  history.add(plain_line(0, 1, 9));
  history.add(plain_line(0, 2, 8));
  EXPECT_EQ(history.cell({0}).seconds.at("train"), 4);
  EXPECT_EQ(history.cell({0}).seconds.at("gather"), 1);
  EXPECT_EQ(history.cell({0}).newest->score, 8);
}

TEST(History, the_newest_score_stays_where_later_generations_have_none) {
  History history({1, 2});
  history.add(plain_line(0, 1, 9));
  history.add(plain_line(0, 2, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(history.cell({0}).newest->generation, 2);
  EXPECT_EQ(history.cell({0}).newest_scored->generation, 1);
  EXPECT_FALSE(history.cell({1}).newest_scored);
}

TEST(History, a_line_of_a_far_generation_takes_no_memory) {
  History history({4, 4});
  EXPECT_TRUE(history.add(plain_line(0, 1)));
  EXPECT_FALSE(history.add(plain_line(0, 4'000'000'000)));
  EXPECT_FALSE(history.add(plain_line(16, 1)));
  EXPECT_FALSE(history.add(plain_line(0, 0)));
  EXPECT_EQ(history.generations(), 1);
  EXPECT_EQ(history.n_lines(), 1);
  EXPECT_EQ(history.n_damaged(), 3);
}

TEST(History, damaged_lines_leave_room_for_those_behind_them) {
  History history({1, 1});
  for (int i = 0; i < 10; ++i) history.add_damaged();
  EXPECT_TRUE(history.add(plain_line(0, 11)));
}

TEST(History, is_read_from_a_file_with_damaged_lines) {
  const TemporaryFolder folder;
  const grid::Torus torus{1, 2};
  const std::string line = written_line(0, 2, torus);
  write_text(folder / "metrics.jsonl", written_line(0, 1, torus) + '\n' +
                                           written_line(1, 1, torus) + "\nnonsense\n" + line +
                                           '\n' + line.substr(0, 20));
  const History history = read_history(folder / "metrics.jsonl", torus);
  EXPECT_EQ(history.n_lines(), 3);
  EXPECT_EQ(history.n_damaged(), 1);
  EXPECT_EQ(history.generations(), 2);
  EXPECT_EQ(history.at(Figure::kScore, {1}, 1), 11);
  EXPECT_EQ(read_history(folder / "none", torus).generations(), 0);
}

TEST(BestGeneration, is_the_first_of_the_lowest_scores) {
  const auto best = best_generation(history_of_scores({{5, 4}, {kNoScore, 2}, {2, 3}}));
  ASSERT_TRUE(best);
  EXPECT_EQ(best->generation, 2);
  EXPECT_EQ(best->cell, CellId{1});
  EXPECT_EQ(best->score, 2);
  EXPECT_FALSE(best_generation(history_of_scores({{kNoScore}})));
  EXPECT_FALSE(best_generation(History({1, 1})));
}

TEST(BestScores, are_the_lowest_of_each_generation) {
  const auto best = history_of_scores({{5, 4}, {kNoScore, 2}, {kNoScore, kNoScore}}).best_scores();
  EXPECT_EQ(best[0], 4);
  EXPECT_EQ(best[1], 2);
  EXPECT_TRUE(std::isnan(best[2]));
}

}  // namespace
}  // namespace lipizz::report::history_test
