#include "report/comparison_text.hpp"

#include <gtest/gtest.h>

#include "report/compared_runs.hpp"

namespace lipizz::report::comparison_text_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ComparisonText, shows_a_row_for_each_run_and_what_all_have_in_common_once) {
  const auto runs = {finished("a", 2.5), finished("b", 1, {"generator.loss=mse"}),
                     unfinished("c", 7)};
  EXPECT_EQ(comparison_text(compare(runs), 100),
            "3 runs in runs, 1 of them not finished\n"
            "frechet, lower is better; judge 0000000000000abc\n"
            "floor 0.5, samples 10000, grid 2x2, numerics avx2\n"
            "\n"
            "no  score  generations  seconds  run       fingerprint  generator.loss\n"
            " 1      1           20     12.3  b    000000000000000b  mse\n"
            " 2    2.5           20     12.3  a    000000000000000a  bce\n"
            " 3      -      7 of 20        -  c                   -  bce\n");
}

TEST(ComparisonText, what_differs_between_runs_has_a_column) {
  auto other = finished("b", 1, {"grid.rows=3"});
  other.result->score.n_samples = 500;
  other.result->score.floor = 0.25;
  other.result->numerics = "avx512";
  other.result->from_generation = 4;
  const std::string text = comparison_text(compare({finished("a", 2), other}), 200);
  EXPECT_TRUE(has(text, "floor  samples  grid  numerics")) << text;
  EXPECT_TRUE(has(text, "0.25      500   3x2    avx512")) << text;
  EXPECT_TRUE(has(text, "12.3+")) << text;
  EXPECT_TRUE(has(text, "over different numbers of samples")) << text;
}

TEST(ComparisonText, shows_the_best_generation_where_it_is_kept) {
  auto with_best = finished("b", 1);
  with_best.result->best = FinishedRun::Best{0.75, 1000, 17, {}};
  const std::string text = comparison_text(compare({finished("a", 2), with_best}), 100);
  EXPECT_TRUE(has(text, "no  score  best  at")) << text;
  EXPECT_TRUE(has(text, " 1      1  0.75  17")) << text;
  EXPECT_TRUE(has(text, " 2      2     -   -")) << text;
  EXPECT_FALSE(has(comparison_text(compare({finished("a", 2)}), 100), "best  at"));
}

TEST(ComparisonText, shows_differences_and_ratios_and_says_which_are_the_same) {
  auto copy = finished("copy", 4);
  copy.result->fingerprint = finished("a", 4).result->fingerprint;
  const auto comparison =
      compare({finished("a", 4), copy, finished("b", 1), finished("c", 5)}, "runs/a");
  const std::string text = comparison_text(comparison, 100);
  EXPECT_TRUE(has(text, " 1      1          -3   0.25")) << text;
  EXPECT_TRUE(has(text, " 2      4          +0      1")) << text;
  EXPECT_TRUE(has(text, " 4      5          +1   1.25")) << text;
  EXPECT_TRUE(has(text, "to no 2; equal fingerprints, so the same result to the last bit: 3\n"))
      << text;
}

TEST(ComparisonText, has_the_means_of_runs_that_differ_in_the_seed_alone) {
  const std::string text =
      comparison_text(compare({finished("a", 8, {"seed=1"}), finished("b", 4, {"seed=2"}),
                               finished("c", 1, {"seed=1", "generator.loss=mse"}),
                               finished("d", 2, {"seed=2", "generator.loss=mse"})}),
                      100);
  EXPECT_TRUE(has(text,
                  "runs that differ in the seed alone\n"
                  "runs  n  mean  std. error  generator.loss\n"
                  "1 2   2   1.5         0.5  mse\n"
                  "3 4   2     6           2  bce\n"))
      << text;
}

TEST(ComparisonText, of_many_runs_that_differ_in_the_seed_alone_the_first_are_named) {
  std::vector<ComparedRun> runs;
  for (int i = 0; i < 20; ++i) {
    runs.push_back(finished(std::to_string(i), i, {"seed=" + std::to_string(i)}));
  }
  const std::string text = comparison_text(compare(std::move(runs)), 100);
  EXPECT_TRUE(has(text, "1 2 3 4 5 6 7 8 ...  20   9.5")) << text;
}

TEST(ComparisonText, folders_of_different_parents_are_shown_in_full) {
  auto elsewhere = finished("b", 1);
  elsewhere.folder = "/elsewhere/b";
  const std::string text = comparison_text(compare({finished("a", 2), elsewhere}), 100);
  EXPECT_TRUE(has(text, "/elsewhere/b")) << text;
  EXPECT_TRUE(has(text, "runs/a")) << text;
}

TEST(ComparisonText, stays_within_the_width_where_its_columns_can) {
  const std::string text = comparison_text(
      compare({finished("a", 8, {"seed=1", "generator.learning_rate=0.001"}), finished("b", 4)}),
      40);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 50) << text;  // the lines of what all have in common are as they are
    begin = end + 1;
  }
}

}  // namespace
}  // namespace lipizz::report::comparison_text_test
