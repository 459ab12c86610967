#include "sweep/tables.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "core/text.hpp"
#include "sample_sweep.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::sweep::tables_test {
namespace {

using ::testing::HasSubstr;

TEST(TextTable, numbers_are_flush_right) {
  EXPECT_EQ(text_table({"name", "n"}, {{"a", "1"}, {"bcdef", "20"}}),
            "name    n\n"
            "a       1\n"
            "bcdef  20\n");
}

TEST(TextTable, is_no_wider_than_a_terminal) {
  const std::string line = text_table({"a", "b"}, {{std::string(100, 'x') + "end", "1"}});
  EXPECT_EQ(split(line, '\n').size(), 3) << "a line for each row, and an empty rest";
  for (const std::string& part : split(line, '\n')) EXPECT_LE(part.size(), 80);
  EXPECT_THAT(line, HasSubstr("end"));
}

TEST(Csv, quotes_what_needs_it) {
  EXPECT_EQ(csv({"a", "b"}, {{"1,2", "say \"x\""}, {std::string(), "plain"}}),
            "a,b\r\n\"1,2\",\"say \"\"x\"\"\"\r\n,plain\r\n");
}

TEST(Latex, escapes_what_has_a_meaning) {
  EXPECT_EQ(latex_text("a_b & 5% of {x}^2\\"), "a\\_b \\& 5\\% of \\{x\\}\\^{}2\\textbackslash{}");
}

TEST(FigureText, four_digits) {
  EXPECT_EQ(figure_text(0.123456), "0.1235");
  EXPECT_EQ(figure_text(NAN), "-");
}

class Tables : public ::testing::Test {
 protected:
  Tables() {
    for (std::size_t i = 0; i < 12; ++i) {
      write_result(folder_of(folder_, plan_.runs()[i]),
                   {.score = 10.0 - static_cast<double>(i) / 4});
    }
    progress_ = ProgressReader(plan_, folder_).look({});
    figures_ = figures_of(plan_, progress_);
  }

  TemporaryFolder temporary_;
  SweepFolder folder_{temporary_.path()};
  Plan plan_ = sample_plan();
  Progress progress_;
  Figures figures_;
};

TEST_F(Tables, for_people) {
  const std::string text = figures_text(plan_, figures_, 2);
  EXPECT_THAT(text, HasSubstr("numerics avx2)\nlearning_rate  loss  seeds"));
  EXPECT_THAT(text, HasSubstr("          0.1  mse       2  7.375  0.125"));
  EXPECT_THAT(text,
              HasSubstr("... and 4 more\nmean: of the score over the seeds, lower is better"));
}

TEST_F(Tables, a_bar_for_each_value_of_each_axis) {
  const std::string text = axes_text(plan_, figures_);
  EXPECT_THAT(text, HasSubstr("generator.learning_rate"));
  EXPECT_THAT(text, HasSubstr("generator.loss"));
  EXPECT_THAT(text, HasSubstr("####"));
  for (const std::string& part : split(text, '\n')) EXPECT_LE(part.size(), 80);
}

TEST_F(Tables, for_spreadsheets) {
  const std::string text = figures_csv(plan_, figures_);
  EXPECT_THAT(text, HasSubstr("generator.learning_rate,generator.loss,n,mean,standard_error,"
                              "generations,training_s,floor,metric,judge,n_samples,numerics\r\n"
                              "0.1,mse,2,7.375,0.125,8,4,0.5,modes,1111111111111111,100,avx2\r\n"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 7);
}

TEST_F(Tables, every_run) {
  const std::string text = runs_csv(plan_, progress_);
  EXPECT_EQ(std::ranges::count(text, '\n'), 13);
  EXPECT_THAT(text, HasSubstr("\r\n0.001,bce,1,finished,10,8,4,0.5,modes,1111111111111111,100,"
                              "avx2,3333333333333333," +
                              plan_.runs()[0].folder + "\r\n"));
}

TEST_F(Tables, for_latex) {
  const std::string text = figures_latex(plan_, figures_);
  EXPECT_THAT(text, HasSubstr("\\begin{tabular}{llrr}\n\\hline\nlearning\\_rate & loss & seeds & "
                              "score \\\\\n\\hline\n0.1 & mse & 2 & $7.375 \\pm 0.12$ \\\\\n"));
}

}  // namespace
}  // namespace lipizz::sweep::tables_test
