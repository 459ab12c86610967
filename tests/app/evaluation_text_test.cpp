#include "app/evaluation_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace lipizz::app::evaluation_text_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const std::vector<metrics::Figure>& figures() {
  using Better = metrics::Figure::Better;
  static const std::vector<metrics::Figure> all{
      {.name = "frechet", .better = Better::kLower, .value = 3.25, .error = 0.123, .floor = 0.5},
      {.name = "psnr",
       .better = Better::kHigher,
       .value = std::numeric_limits<double>::infinity(),
       .error = kNan,
       .floor = kNan}};
  return all;
}

EvaluationText evaluation() {
  return {.heading = "500 samples of x against glyphs",
          .judge = EvaluationText::Judge{"frechet", 0xabc},
          .n_samples = 500,
          .n_floor_samples = 400,
          .figures = figures()};
}

TEST(EvaluationText, is_a_table) {
  EXPECT_EQ(evaluation_text(evaluation()),
            "500 samples of x against glyphs\n"
            "judge 0000000000000abc of the metric frechet; scores of other judges are of another "
            "scale\n"
            "floor: 400 real test samples, scored the same way\n"
            "\n"
            "score    value    +-  floor  better\n"
            "frechet   3.25  0.12    0.5  lower\n"
            "psnr       inf     -      -  higher\n");
}

TEST(EvaluationText, without_judge_and_floor) {
  EvaluationText features = evaluation();
  features.judge.reset();
  features.n_floor_samples = 0;
  EXPECT_EQ(evaluation_text(features),
            "500 samples of x against glyphs\n"
            "\n"
            "score    value    +-  better\n"
            "frechet   3.25  0.12  lower\n"
            "psnr       inf     -  higher\n");
}

TEST(EvaluationText, as_json) {
  const auto json = nlohmann::json::parse(evaluation_json(evaluation()));
  EXPECT_EQ(json["judge"], "0000000000000abc");
  EXPECT_EQ(json["samples"], 500);
  EXPECT_EQ(json["floor_samples"], 400);
  EXPECT_EQ(json["scores"][0]["error"], 0.123);
  EXPECT_EQ(json["scores"][0]["better"], "lower");
  EXPECT_TRUE(json["scores"][1]["value"].is_null());
  EXPECT_TRUE(json["scores"][1]["floor"].is_null());
}

}  // namespace
}  // namespace lipizz::app::evaluation_text_test
