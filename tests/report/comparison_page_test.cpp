#include "report/comparison_page.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "report/compared_runs.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::comparison_page_test {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Json data_of(const Comparison& comparison) {
  return Json::parse(comparison_data(comparison));
}

TEST(ComparisonPage, has_all_runs_with_what_they_differ_in) {
  auto with_best = finished("b", 1, {"generator.loss=mse"});
  with_best.result->best = FinishedRun::Best{};
  with_best.result->best->value = 0.5;
  with_best.result->best->generation = 17;
  const Json data = data_of(compare({finished("a", 2), with_best, unfinished("c", 7)}, "runs/a"));
  EXPECT_EQ(data["parent"], "runs");
  EXPECT_EQ(data["judge"], "0000000000000abc");
  EXPECT_EQ(data["settings"], Json({"generator.loss"}));
  EXPECT_EQ(data["against"], 1);
  ASSERT_EQ(data["runs"].size(), 3);
  EXPECT_EQ(data["runs"][0]["name"], "b");
  EXPECT_EQ(data["runs"][0]["score"], 1);
  EXPECT_EQ(data["runs"][0]["best"], Json({{"value", 0.5}, {"generation", 17}}));
  EXPECT_EQ(data["runs"][0]["settings"], Json({"mse"}));
  EXPECT_EQ(data["runs"][1]["best"], nullptr);
  EXPECT_EQ(data["runs"][2]["reached"], 7);
  EXPECT_FALSE(data["runs"][2].contains("score"));
}

TEST(ComparisonPage, has_the_groups_that_differ_in_the_seed_alone) {
  const Json data = data_of(compare({finished("a", 8, {"seed=1"}), finished("b", 4, {"seed=2"}),
                                     finished("c", 1, {"seed=1", "generator.loss=mse"}),
                                     finished("d", 2, {"seed=2", "generator.loss=mse"}),
                                     finished("e", kNone, {"seed=3"})}));
  EXPECT_EQ(data["group_settings"], Json({"generator.loss"}));
  ASSERT_EQ(data["groups"].size(), 2);
  EXPECT_EQ(data["groups"][1]["runs"], Json({2, 3, 4}));
  EXPECT_EQ(data["groups"][1]["n"], 2);
  EXPECT_EQ(data["groups"][1]["mean"], 6);
  EXPECT_EQ(data["groups"][1]["error"], 2);
  EXPECT_EQ(data["groups"][1]["settings"], Json({"bce"}));
}

TEST(ComparisonPage, draws_the_curves_of_the_best_and_of_the_one_that_all_are_held_against) {
  const TemporaryFolder folder;
  std::vector<ComparedRun> runs;
  for (std::size_t i = 0; i < kMostCurves + 5; ++i) {
    runs.push_back(finished("r" + std::to_string(i), static_cast<double>(i)));
    runs.back().folder = folder / ("r" + std::to_string(i));
    std::filesystem::create_directories(runs.back().folder);
  }
  const grid::Torus torus{.rows = 2, .columns = 2};
  write_text(folder / "r0/metrics.jsonl",
             written_line(1, 1, torus) + "\n" + written_line(0, 1, torus) + "\n");
  const Json data = data_of(compare(runs, folder / "r43"));
  const Json& curves = data["curves"];
  ASSERT_EQ(curves.size(), kMostCurves + 1);
  EXPECT_EQ(curves[0]["series"], Json({{"d", {1}}, {"v", {10}}}));
  EXPECT_EQ(curves[1]["series"], Json::parse(R"({"d": [], "v": []})"));
  EXPECT_EQ(curves.back()["run"], 43);
}

TEST(ComparisonPage, a_thousand_runs_are_a_page_of_less_than_a_megabyte) {
  std::vector<ComparedRun> runs;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "glyphs-20260131T120000Z-node17-" + std::to_string(i);
    runs.push_back(finished(name, 1.0 / 3 + i, {"seed=" + std::to_string(i)}));
    runs.back().result->fingerprint = "0123456789abcdef";
  }
  const TemporaryFolder folder;
  write_comparison_page(compare(std::move(runs)), folder / "a.html");
  EXPECT_LT(std::filesystem::file_size(folder / "a.html"), 1'000'000);
}

TEST(ComparisonPage, replaces_a_page_and_nothing_else) {
  const TemporaryFolder folder;
  const Comparison comparison = compare({finished("a", 2)});
  write_comparison_page(comparison, folder / "a.html");
  write_comparison_page(comparison, folder / "a.html");
  std::ostringstream page;
  page << std::ifstream(folder / "a.html").rdbuf();
  EXPECT_THAT(page.str(), HasSubstr("<title>1 run compared</title>"));
  write_text(folder / "notes.html", "mine");
  EXPECT_THROW(write_comparison_page(comparison, folder / "notes.html"), ConfigError);
}

}  // namespace
}  // namespace lipizz::report::comparison_page_test
