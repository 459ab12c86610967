#include "sweep/page_data.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::page_data_test {
namespace {

class PageData : public ::testing::Test {
 protected:
  nlohmann::json data(const Plan& plan) {
    const Progress progress = ProgressReader(plan, folder_).look({});
    return nlohmann::json::parse(page_data(plan, folder_, progress, figures_of(plan, progress)));
  }
  void set(const Plan& plan, std::size_t index, const SampleResult& result) {
    write_result(folder_of(folder_, plan.runs()[index]), result);
  }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path()};
};

TEST_F(PageData, holds_figures_axes_and_runs) {
  const Plan plan = sample_plan();
  for (std::size_t i = 0; i < 11; ++i) set(plan, i, {.score = static_cast<double>(12 - i)});
  const nlohmann::json found = data(plan);
  EXPECT_EQ(found["name"], "sample");
  EXPECT_EQ(found["n_runs"], 12);
  EXPECT_EQ(found["states"][0]["name"], "finished");
  EXPECT_EQ(found["states"][0]["n"], 11);
  EXPECT_EQ(found["settings"][0]["short"], "learning_rate");
  ASSERT_EQ(found["kinds"].size(), 1);
  const nlohmann::json& kind = found["kinds"][0];
  EXPECT_EQ(kind["rows"].size(), 6);
  EXPECT_EQ(kind["rows"][0]["values"][1], "mse");
  EXPECT_EQ(kind["rows"][0]["n"], 1);
  EXPECT_TRUE(kind["rows"][0]["error"].is_null()) << "of one seed alone";
  EXPECT_EQ(kind["rows"][1]["mean"], 3.5);
  EXPECT_EQ(kind["axes"].size(), 2);
  EXPECT_EQ(kind["axes"][0]["points"].size(), 3);
  EXPECT_EQ(found["runs"].size(), 12);
  EXPECT_EQ(found["runs"][0]["score"], 12.0);
  EXPECT_EQ(found["runs"][11]["state"], "waiting");
  EXPECT_TRUE(found["savings"].is_null());
  EXPECT_EQ(found["notes"].size(), 1);
}

TEST_F(PageData, holds_rungs_and_what_they_saved) {
  const Plan plan = sample_plan(R"(, "stop_early": {"rungs": [2]})");
  for (std::size_t i = 0; i < 12; ++i) {
    set(plan, i, {.score = static_cast<double>(i), .generations = 2});
  }
  const nlohmann::json found = data(plan);
  EXPECT_EQ(found["savings"]["generations"], 36);
  ASSERT_EQ(found["rungs"].size(), 1);
  EXPECT_EQ(found["rungs"][0]["kept"], 3);
  EXPECT_EQ(found["rungs"][0]["decided"], true);
}

}  // namespace
}  // namespace lipizz::sweep::page_data_test
