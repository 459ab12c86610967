#include "report/report_data.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/run_folder.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::report_data_test {
namespace {

using Json = nlohmann::json;

Json data_of(const std::filesystem::path& folder) {
  return Json::parse(report_data(read_run(folder)));
}

TEST(ReportData, tells_of_a_finished_run) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const Json data = data_of(folder.path());
  EXPECT_EQ(data["run"]["name"], "a");
  EXPECT_EQ(data["run"]["folder"], folder.path().filename().string());
  EXPECT_EQ(data["run"]["done"], 2);
  EXPECT_EQ(data["run"]["final"], (Json{{"score", 3.0}, {"cell", 1}, {"n_samples", 1000}}));
  EXPECT_EQ(data["run"]["floor"], 0.5);
  EXPECT_EQ(data["best"], (Json{{"generation", 2}, {"cell", 0}, {"score", 5.0}}));
  EXPECT_EQ(data["series"]["score"][1]["v"], (Json{11, 6}));
  EXPECT_EQ(data["frames"]["generations"], (Json{1, 2}));
  EXPECT_EQ(data["lineage"]["generator"]["founders"].size(), 2);
  EXPECT_EQ(data["times"]["of"], "rank");
  EXPECT_EQ(data["times"]["list"][0]["name"], "rank 1");
  EXPECT_EQ(data["times"]["list"][0]["helpers_s"], 0);
  EXPECT_EQ(data["traffic"].size(), 5);
  EXPECT_EQ(data["timeline"]["n_starts"], 1);
  EXPECT_EQ(data["timeline"]["rows"][0]["host"], "node");
  EXPECT_EQ(data["cells"][0]["final"], 7.0);
  EXPECT_EQ(data["cells"][0]["shares"], (Json{0.25, 0.75}));
  EXPECT_EQ(data["configuration"]["generations"], 2);
  EXPECT_TRUE(data["findings"].is_array());
}

TEST(ReportData, carries_sheets_with_the_final_one_last) {
  const TemporaryFolder folder;
  write_run(folder.path());
  const Json sheets = data_of(folder.path())["sheets"];
  ASSERT_EQ(sheets["list"].size(), 2);
  EXPECT_EQ(sheets["list"][0]["generation"], 1);
  EXPECT_EQ(sheets["list"][0]["is_final"], false);
  EXPECT_EQ(sheets["list"][1]["name"], "best.png");
  EXPECT_EQ(sheets["list"][1]["generation"], 2);
  EXPECT_EQ(sheets["n_all"], 2);
  EXPECT_EQ(sheets["grid"]["uri"].get<std::string>().substr(0, 22), "data:image/png;base64,");
}

TEST(ReportData, sheets_that_are_too_large_stay_where_they_are) {
  const TemporaryFolder folder;
  write_run(folder.path());
  write_text(folder / "samples/best.png", "\x89PNG" + std::string(5'000'000, 'a'));
  const Json sheets = data_of(folder.path())["sheets"];
  ASSERT_EQ(sheets["list"].size(), 0);  // the last one is kept longest
  EXPECT_EQ(sheets["n_all"], 2);
}

TEST(ReportData, tells_of_a_run_that_has_just_begun) {
  const TemporaryFolder folder;
  write_text(folder / "config.json", config::to_json({}));
  const Json data = data_of(folder.path());
  EXPECT_EQ(data["run"]["is_finished"], false);
  EXPECT_EQ(data["best"], nullptr);
  EXPECT_EQ(data["run"]["floor"], nullptr);
  EXPECT_TRUE(data["frames"]["generations"].empty());
  EXPECT_EQ(data["times"]["of"], "cell");
  EXPECT_TRUE(data["times"]["list"].empty());
  EXPECT_EQ(data["timeline"]["n_starts"], 0);
}

TEST(ReportData, of_a_run_that_has_not_finished_cells_tell_their_seconds) {
  const TemporaryFolder folder;
  write_run(folder.path());
  std::filesystem::remove(folder / "result.json");
  const Json times = data_of(folder.path())["times"];
  EXPECT_EQ(times["of"], "cell");
  ASSERT_EQ(times["list"].size(), 2);
  EXPECT_EQ(times["list"][1]["name"], "(0, 1)");
  EXPECT_EQ(times["list"][1]["waited_s"], 0.25);
  EXPECT_EQ(times["list"][1]["seconds"], (Json{{"train", 3.0}}));
}

}  // namespace
}  // namespace lipizz::report::report_data_test
