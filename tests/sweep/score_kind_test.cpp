#include "sweep/score_kind.hpp"

#include <gtest/gtest.h>

namespace lipizz::sweep::score_kind_test {
namespace {

TEST(ScoreKind, is_what_scores_have_in_common) {
  report::FinishedRun run;
  run.score = {.metric = "modes", .judge = "0f", .value = 1, .floor = 0, .n_samples = 100};
  run.numerics = "avx2";
  EXPECT_EQ(described(kind_of(run)), "modes (judge 0f, 100 samples, numerics avx2)");
  report::FinishedRun better = run;
  better.score.value = 0.5;
  better.score.floor = 0.1;
  EXPECT_EQ(kind_of(better), kind_of(run));
  for (const auto& change : {+[](report::FinishedRun& r) { r.score.metric = "frechet"; },
                             +[](report::FinishedRun& r) { r.score.judge = "1f"; },
                             +[](report::FinishedRun& r) { r.score.n_samples = 99; },
                             +[](report::FinishedRun& r) { r.numerics = "avx512"; }}) {
    report::FinishedRun other = run;
    change(other);
    EXPECT_NE(kind_of(other), kind_of(run));
  }
}

}  // namespace
}  // namespace lipizz::sweep::score_kind_test
