#include "report/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "report/compared_runs.hpp"

namespace lipizz::report::comparison_test {
namespace {

using Places = std::vector<std::size_t>;
using Strings = std::vector<std::string>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Strings names_of(const Comparison& comparison) {
  Strings names;
  for (const ComparedRun& run : comparison.runs) names.push_back(run.folder.filename());
  return names;
}

std::string complaint(std::vector<ComparedRun> runs, const char* against = nullptr) {
  try {
    compare(std::move(runs), against == nullptr ? std::nullopt : std::optional(against));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(Comparison, the_lowest_score_is_first_and_what_has_none_last) {
  const Comparison comparison =
      compare({unfinished("z", 3), finished("none", kNone), finished("b", 2), unfinished("y", 5),
               finished("a", 2), finished("c", 1)});
  EXPECT_EQ(names_of(comparison), (Strings{"c", "a", "b", "none", "y", "z"}));
  EXPECT_EQ(comparison.n_finished, 4);
  EXPECT_FALSE(comparison.against);
}

TEST(Comparison, settings_that_a_comparison_shows_anyway_are_no_differences) {
  const Comparison comparison =
      compare({finished("a", 2, {"name=x", "grid.rows=3", "numerics=avx2", "data.dir=/a"}),
               finished("b", 1, {"generator.loss=mse"})});
  ASSERT_EQ(comparison.differences.size(), 1);
  EXPECT_EQ(comparison.differences[0].path, "generator.loss");
  EXPECT_EQ(comparison.differences[0].values, (Strings{"mse", "bce"}));
}

TEST(Comparison, runs_that_differ_in_the_seed_alone_are_a_group) {
  const Comparison comparison = compare(
      {finished("a", 8, {"seed=1", "threads=2"}), finished("b", 4, {"seed=2", "name=other"}),
       finished("c", 1, {"seed=1", "generations=50"}),
       finished("d", 9, {"seed=2", "generator.loss=mse"}),
       finished("e", 1.5, {"seed=3", "generator.loss=mse"}), unfinished("f", 2)});
  ASSERT_EQ(names_of(comparison), (Strings{"c", "e", "b", "a", "d", "f"}));
  ASSERT_EQ(comparison.groups.size(), 2);
  EXPECT_EQ(comparison.groups[0].runs, (Places{1, 4}));
  EXPECT_DOUBLE_EQ(comparison.groups[0].scores.mean, 5.25);
  EXPECT_EQ(comparison.groups[1].runs, (Places{2, 3}));
  EXPECT_DOUBLE_EQ(comparison.groups[1].scores.mean, 6);
  EXPECT_DOUBLE_EQ(comparison.groups[1].scores.standard_error, 2);
}

TEST(Comparison, a_run_that_was_made_twice_counts_once) {
  std::vector<ComparedRun> runs{finished("a", 2, {"seed=1"}),
                                finished("b", 2, {"seed=1", "threads=2"})};
  runs[1].result->fingerprint = runs[0].result->fingerprint;
  EXPECT_TRUE(compare(runs).groups.empty());
  runs.push_back(finished("c", 4, {"seed=2"}));
  const Comparison comparison = compare(runs);
  ASSERT_EQ(comparison.groups.size(), 1);
  EXPECT_EQ(comparison.groups[0].runs, (Places{0, 2}));
  EXPECT_EQ(comparison.groups[0].scores.n, 2);
  EXPECT_DOUBLE_EQ(comparison.groups[0].scores.mean, 3);
}

TEST(Comparison, scores_of_different_judges_are_refused_by_name) {
  std::vector<ComparedRun> runs{finished("a", 1), finished("b", 2), finished("c", 3),
                                finished("d", 4), finished("e", 5), unfinished("f", 1)};
  runs[1].result->score.judge = "0000000000000def";
  const std::string text = complaint(runs);
  EXPECT_NE(text.find("frechet, judge 0000000000000abc (runs/a, runs/c, runs/d and 1 more)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("frechet, judge 0000000000000def (runs/b)"), std::string::npos) << text;
  runs.erase(runs.begin() + 1);
  EXPECT_EQ(complaint(runs), "");
  runs[0].result->score.metric = "modes";
  EXPECT_NE(complaint(runs).find("found 2: "), std::string::npos);
}

TEST(Comparison, is_held_against_a_run_that_is_one_of_them_and_has_a_result) {
  const std::vector<ComparedRun> runs{finished("a", 2), finished("b", 1), unfinished("c", 7)};
  EXPECT_EQ(compare(runs, "runs/a").against, 1);
  EXPECT_NE(complaint(runs, "runs/none").find("expected a run at runs/none"), std::string::npos);
  EXPECT_NE(complaint(runs, "runs/c").find("at generation 7 of 20"), std::string::npos);
}

}  // namespace
}  // namespace lipizz::report::comparison_test
