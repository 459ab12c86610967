#include "report/metrics_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/written_run.hpp"

namespace lipizz::report::metrics_line_test {
namespace {

constexpr grid::Torus kTorus{.rows = 2, .columns = 3};

TEST(MetricsLine, is_read_as_the_worker_wrote_it) {
  const auto line = parse_metrics_line(written_line(5, 4, kTorus), kTorus);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->generation, 4);
  EXPECT_EQ(line->cell, CellId{5});
  EXPECT_EQ(line->score, 7.5);
  EXPECT_EQ(line->details.at(0).name, "tvd");
  EXPECT_EQ(line->class_shares, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(line->generator.rate, 1);
  EXPECT_EQ(line->generator.objective, "bce");
  EXPECT_EQ(line->generator.origin, CellId{4});
  EXPECT_TRUE(line->generator.is_replaced);
  EXPECT_FALSE(line->generator.is_copied);
  EXPECT_TRUE(line->discriminator.is_copied);
  EXPECT_EQ(line->discriminator.loss, 0.125);
  EXPECT_EQ(line->discriminator.objective, "");
  EXPECT_EQ(line->mixture.at(1).cell, CellId{0});
  EXPECT_EQ(line->mixture.at(1).weight, 0.25);
  EXPECT_EQ(line->ages.at(0).generations, -2);
  EXPECT_FALSE(line->ages.at(1).generations);
  EXPECT_EQ(line->seconds.at(0).name, "gather");
  EXPECT_EQ(line->seconds.at(0).value, 0.125);
}

TEST(MetricsLine, a_figure_that_was_not_taken_is_no_number) {
  EXPECT_TRUE(std::isnan(parse_metrics_line(written_line(0, 0, kTorus), kTorus)->score));
}

TEST(MetricsLine, a_damaged_or_foreign_line_is_none) {
  std::string damaged = written_line(5, 4, kTorus);
  damaged[15] = '9';
  EXPECT_FALSE(parse_metrics_line(damaged, kTorus));
  EXPECT_FALSE(parse_metrics_line("", kTorus));
  EXPECT_FALSE(parse_metrics_line(written_line(5, 4, kTorus), {1, 5}));
  EXPECT_FALSE(
      parse_metrics_line(checkpoint::checked_line(R"({"generation":1,"cell":0})"), kTorus));
}

TEST(MetricsLine, a_number_of_a_cell_is_taken_as_it_stands) {
  for (const char* cell : {"-1", "0.5", "18446744073709551615", "null", "\"0\""}) {
    std::string line = worker::metrics_line(report_of(0, 1), kTorus, 0);
    line.replace(line.find(R"("cell":0)"), 8, std::string(R"("cell":)") + cell);
    EXPECT_FALSE(parse_metrics_line(checkpoint::checked_line(line), kTorus)) << cell;
  }
}

}  // namespace
}  // namespace lipizz::report::metrics_line_test
