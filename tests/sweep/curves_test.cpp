#include "sweep/curves.hpp"

#include <gmock/gmock.h>

#include "checkpoint/checked_line.hpp"
#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::curves_test {
namespace {

using ::testing::HasSubstr;

// A cell that trained for a second in this generation and waited for ten.
std::string line(int generation, int cell, const std::string& score) {
  return checkpoint::checked_line(
             R"({"generation":)" + std::to_string(generation) + R"(,"cell":)" +
             std::to_string(cell) + R"(,"score":)" + score +
             R"(,"generator":{"loss":1,"rate":1,"origin":0,"replaced":true},)"
             R"("discriminator":{"loss":1,"rate":1,"origin":0,"replaced":true},)"
             R"("mixture":[],"seconds":{"train":1,"gather":10}})") +
         "\n";
}

class Curves : public ::testing::Test {
 protected:
  TemporaryFolder temporary_;
  const grid::Torus torus_{.rows = 1, .columns = 2};
};

TEST_F(Curves, are_of_the_best_cell_over_the_runs) {
  write_text(temporary_ / "a/metrics.jsonl",
             line(1, 0, "5") + line(1, 1, "4") + line(2, 0, "2") + line(2, 1, "null"));
  write_text(temporary_ / "b/metrics.jsonl", line(1, 0, "8") + line(1, 1, "9") + "damaged\n");
  const auto curve = curve_of({temporary_ / "a", temporary_ / "b"}, torus_);
  ASSERT_EQ(curve.size(), 2);
  EXPECT_EQ(curve[0].generation, 1);
  EXPECT_EQ(curve[0].score.n, 2);
  EXPECT_DOUBLE_EQ(curve[0].score.mean, 6);
  EXPECT_DOUBLE_EQ(curve[0].score.standard_error, 2);
  EXPECT_DOUBLE_EQ(curve[0].cpu_s, 2) << "of both cells, without the time that they waited";
  EXPECT_EQ(curve[1].score.n, 1);
  EXPECT_DOUBLE_EQ(curve[1].score.mean, 2);
  EXPECT_DOUBLE_EQ(curve[1].cpu_s, 4);
}

TEST_F(Curves, leave_out_generations_without_a_score) {
  write_text(temporary_ / "a/metrics.jsonl",
             line(1, 0, "null") + line(1, 1, "null") + line(2, 0, "3") + line(2, 1, "3"));
  const auto curve = curve_of({temporary_ / "a"}, torus_);
  ASSERT_EQ(curve.size(), 1);
  EXPECT_EQ(curve[0].generation, 2);
  EXPECT_DOUBLE_EQ(curve[0].cpu_s, 4) << "which have taken their time all the same";
}

TEST_F(Curves, are_written_by_combination) {
  const SweepFolder folder{temporary_ / "sweep"};
  const Plan plan = sample_plan();
  write_result(folder_of(folder, plan.runs()[0]), {});
  write_text(folder_of(folder, plan.runs()[0]) / "metrics.jsonl", line(1, 0, "5"));
  const Progress progress = ProgressReader(plan, folder).look({});
  const std::string text = curves_csv(plan, progress, figures_of(plan, progress));
  EXPECT_THAT(text, HasSubstr("generator.learning_rate,generator.loss,metric,judge,numerics,"
                              "generation,n,mean,standard_error,cpu_s\r\n"
                              "0.001,bce,modes,1111111111111111,avx2,1,1,5,,1\r\n"));
}

}  // namespace
}  // namespace lipizz::sweep::curves_test
