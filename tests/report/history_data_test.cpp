#include "report/history_data.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/made_history.hpp"

namespace lipizz::report::history_data_test {
namespace {

using Generations = std::vector<Generation>;
using Json = nlohmann::json;

History long_history(Generation generations, std::uint32_t n_cells) {
  return history_of_scores(
      std::vector<std::vector<double>>(generations, std::vector<double>(n_cells, 1)));
}

TEST(FramesOf, all_generations_of_a_small_run) {
  EXPECT_EQ(frames_of(long_history(3, 2), 2, {}), (Generations{1, 2, 3}));
  EXPECT_TRUE(frames_of(History({2, 2}), 0, {}).empty());
}

TEST(FramesOf, fewer_of_a_large_one_with_the_best_among_them) {
  const HistoryLimits limits{.n_cells_of_frames = 10};
  EXPECT_EQ(frames_of(long_history(101, 2), 30, limits), (Generations{1, 30, 51, 76, 101}));
  EXPECT_EQ(frames_of(long_history(101, 2), 0, limits), (Generations{1, 26, 51, 76, 101}));
  EXPECT_TRUE(frames_of(long_history(1, 11), 1, limits).empty());
}

TEST(CellsWithSeries, all_or_some_with_the_best_among_them) {
  const History history = long_history(1, 9);
  EXPECT_EQ(cells_with_series(history, {4}, {.n_series = 9}).size(), 9);
  EXPECT_EQ(cells_with_series(history, {7}, {.n_series = 3}),
            (std::vector<std::uint32_t>{0, 7, 8}));
}

TEST(SeriesData, has_each_figure_of_each_cell) {
  const Json json = Json::parse(series_data(history_of_scores({{5, 4}, {3, 6}}), {0, 1}, {}));
  EXPECT_EQ(json["cells"], (Json{0, 1}));
  EXPECT_EQ(json["best"]["v"], (Json{4, 3}));
  EXPECT_EQ(json["score"][1]["v"], (Json{4, 6}));
  EXPECT_EQ(json["generator_loss"][0]["v"], (Json{0.5, 0.5}));
  EXPECT_EQ(json["generator_rate"][0]["v"], (Json{0.25, 0.25}));
  EXPECT_EQ(json["discriminator_loss"][0]["v"], (Json{1.5, 1.5}));
  EXPECT_EQ(json["discriminator_rate"][0]["v"], (Json{0.125, 0.125}));
}

TEST(SeriesData, cells_share_what_a_page_has_room_for) {
  const History history = history_of_scores(std::vector<std::vector<double>>(200, {1, 2, 3, 4}));
  const Json json =
      Json::parse(series_data(history, {0, 1, 2, 3}, {.n_points = 100, .n_points_in_all = 80}));
  EXPECT_LE(json["score"][0]["v"].size(), 20);
  EXPECT_GT(json["score"][0]["v"].size(), 8);
  EXPECT_GT(json["best"]["v"].size(), 40);
}

TEST(FramesData, has_scores_and_mixtures_of_all_cells) {
  History history({1, 2});
  MetricsLine line = plain_line(0, 1, 5);
  line.mixture = {{{0}, 0.7004}, {{1}, 0.2996}};
  history.add(line);
  history.add(plain_line(1, 1, kNoScore));
  line.generation = 2;
  history.add(line);
  const Json json = Json::parse(frames_data(history, {1, 2}));
  EXPECT_EQ(json["generations"], (Json{1, 2}));
  EXPECT_EQ(json["score"], (Json{{5, nullptr}, {5, nullptr}}));
  EXPECT_EQ(json["members"], (Json{{0, 1}, Json::array({1})}));  // each list once
  EXPECT_EQ(json["mixture"][0], (Json{{0, 700, 300}, {1, 1000}}));
  EXPECT_EQ(json["mixture"][1], (Json{{0, 700, 300}, Json::array()}));  // no line of cell 1
}

TEST(SeriesData, joins_the_generations_that_were_scored) {
  const History history = history_of_scores({{kNoScore}, {4}, {kNoScore}, {2}, {kNoScore}});
  const Json json = Json::parse(series_data(history, {0}, {}));
  const Json scored = Json::parse(R"({"d": [2, 2], "v": [4, 2]})");
  EXPECT_EQ(json["best"], scored);
  EXPECT_EQ(json["score"][0], scored);
  EXPECT_EQ(json["generator_loss"][0]["v"].size(), 5);
}

TEST(FramesData, a_cell_that_was_not_scored_has_its_newest_score) {
  const History history =
      history_of_scores({{kNoScore, 7}, {4, 3}, {kNoScore, kNoScore}, {2, kNoScore}});
  const Json json = Json::parse(frames_data(history, {1, 3, 4}));
  EXPECT_EQ(json["score"], (Json{{nullptr, 7}, {4, 3}, {2, 3}}));
}

TEST(LineageData, has_founders_and_takeovers) {
  const History history = history_of_origins({{1, 1}, {1, 1}});
  const Json json = Json::parse(lineage_data(history, NetworkRole::kGenerator, {2}, {0}, {}));
  EXPECT_EQ(json["founders"], (Json::array({{1, 1}})));
  EXPECT_EQ(json["moves"], (Json::array({Json::array({{2, 1, 0.25, 0.5}})})));
  EXPECT_EQ(json["alive"]["v"], (Json{1, 1}));
  EXPECT_EQ(json["taken"], (Json::array({{1, 0, 2}})));
  EXPECT_EQ(json["n_taken"], 2);
}

}  // namespace
}  // namespace lipizz::report::history_data_test
