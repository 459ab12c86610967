#include "worker/metrics_line.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace lipizz::worker::metrics_line_test {
namespace {

coev::CellReport example() {
  coev::CellReport report;
  report.cell = {5};
  report.generation = 12;
  report.score = 1.0 / 3;
  report.score_details = {{"tvd", 0.25}};
  report.class_shares = {0.5, 0.5};
  report.generator.loss = std::numeric_limits<double>::quiet_NaN();
  report.generator.rate = 2e-4;
  report.generator.objective = "bce";
  report.generator.origin = {4};
  report.generator.is_replaced = true;
  report.mixture = {{{5}, 0.75}, {{4}, 0.25}};
  report.profile = {{"train", 1.5}};
  return report;
}

TEST(MetricsLine, holds_what_the_cell_told) {
  const std::string line = metrics_line(example(), {3, 4}, 0.125);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["generation"], 12);
  EXPECT_EQ(json["cell"], 5);
  EXPECT_EQ(json["row"], 1);
  EXPECT_EQ(json["col"], 1);
  EXPECT_EQ(json["score"].dump(), "0.333333");
  EXPECT_EQ(json["details"]["tvd"], 0.25);
  EXPECT_EQ(json["class_shares"], nlohmann::json::parse("[0.5,0.5]"));
  EXPECT_TRUE(json["generator"]["loss"].is_null());
  EXPECT_EQ(json["generator"]["rate"], 2e-4);
  EXPECT_EQ(json["generator"]["objective"], "bce");
  EXPECT_EQ(json["generator"]["origin"], 4);
  EXPECT_EQ(json["generator"]["replaced"], true);
  EXPECT_EQ(json["discriminator"]["replaced"], false);
  EXPECT_FALSE(json["generator"].contains("copied"));
  EXPECT_FALSE(json["discriminator"].contains("skipped"));
  EXPECT_EQ(json["mixture"], nlohmann::json::parse("[[5,0.75],[4,0.25]]"));
  EXPECT_EQ(json["seconds"], nlohmann::json::parse(R"({"gather":0.125,"train":1.5})"));
}

TEST(MetricsLine, says_of_which_network_a_copy_is) {
  coev::CellReport report = example();
  report.discriminator.n_skipped = 3;
  report.discriminator.is_copied = true;
  const auto json = nlohmann::json::parse(metrics_line(report, {3, 4}, 0));
  EXPECT_EQ(json["discriminator"]["copied"], true);
  EXPECT_EQ(json["discriminator"]["skipped"], 3);
  EXPECT_FALSE(json["generator"].contains("skipped"));
  EXPECT_FALSE(json["generator"].contains("copied"));
}

TEST(MetricsLine, holds_the_ages_of_an_asynchronous_exchange) {
  EXPECT_FALSE(nlohmann::json::parse(metrics_line(example(), {3, 4}, 0)).contains("ages"));
  coev::CellReport report = example();
  report.ages = {{{1}, 0}, {{4}, std::nullopt}, {{9}, -2}};
  const auto json = nlohmann::json::parse(metrics_line(report, {3, 4}, 0));
  EXPECT_EQ(json["ages"], nlohmann::json::parse(R"({"1":0,"4":null,"9":-2})"));
}

// A promise: the master hears less than a kilobyte per cell and generation.
TEST(MetricsLine, is_short_with_the_largest_neighbourhood) {
  coev::CellReport report = example();
  report.generation = 123456;
  report.score_details = {{"tvd", 1.0 / 3}, {"classes", 10}};
  report.class_shares.assign(10, 0.0123456789);
  report.mixture.assign(9, {{4095}, 1.0 / 7});
  for (std::uint32_t i = 0; i < 8; ++i) report.ages.push_back({{4088 + i}, -1000});
  report.generator.loss = report.discriminator.loss = 1.0 / 3;
  report.generator.rate = report.discriminator.rate = 1.0 / 4999;
  report.profile = {{"train", 1e2 / 3},
                    {"update_genomes", 1e-4 / 3},
                    {"mutate", 1e-5 / 3},
                    {"evaluate", 1.0 / 3},
                    {"mixture", 1e-2 / 3}};
  EXPECT_LT(metrics_line(report, {64, 64}, 1.0 / 3).size(), 920U);
}

}  // namespace
}  // namespace lipizz::worker::metrics_line_test
