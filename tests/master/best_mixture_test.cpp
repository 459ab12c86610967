#include "master/best_mixture.hpp"

#include <cmath>
#include <fstream>

#include "core/durable_folder.hpp"
#include "master/machines.hpp"
#include "report/written_run.hpp"

namespace lipizz::master::best_mixture_test {
namespace {

using ::testing::Eq;
using ::testing::Optional;

constexpr grid::Torus kTorus{.rows = 1, .columns = 2};

class BestMixtureTest : public MachineTest {
 protected:
  static MetricsLog::Completed completed(Generation generation, double score,
                                         std::uint32_t cell = 0) {
    return {.generation = generation, .best = {cell}, .score = score, .has_diverged = false};
  }
  static comm::TaskDone done(const char* file, double seconds = 0) {
    comm::TaskDone done;
    done.kind = comm::TaskKind::kBestMixture;
    done.file = file;
    done.seconds = seconds;
    return done;
  }
  static auto at(Generation generation, std::uint32_t cell = 0) {
    return Optional(Eq(BestGeneration{generation, {cell}, 0}));
  }

  BestMixture best_{{}, {}, clock_};
};

TEST_F(BestMixtureTest, is_the_first_of_the_lowest_scores) {
  EXPECT_FALSE(best_.best());
  best_.add(completed(1, std::nan("")), Rank{2});
  EXPECT_FALSE(best_.best());
  best_.add(completed(2, 5, 1), Rank{2});
  best_.add(completed(3, std::nan("")), Rank{2});
  best_.add(completed(4, 5), Rank{2});
  best_.add(completed(5, 6), Rank{2});
  EXPECT_THAT(best_.best(), at(2, 1));
  EXPECT_EQ(best_.generations_since(5), 3U);
}

TEST_F(BestMixtureTest, is_asked_for_once_and_is_written_when_a_file_is_told_of) {
  EXPECT_FALSE(best_.next_to_write(true));
  EXPECT_TRUE(best_.is_settled()) << "there is nothing to write";
  best_.add(completed(1, 5), Rank{2});
  EXPECT_FALSE(best_.is_settled());
  EXPECT_THAT(best_.next_to_write(false), at(1));
  EXPECT_FALSE(best_.next_to_write(true));
  EXPECT_FALSE(best_.is_settled());
  best_.add(done("mixture-best"));
  EXPECT_TRUE(best_.is_written());
  EXPECT_TRUE(best_.is_settled());
  EXPECT_FALSE(best_.next_to_write(true));
}

TEST_F(BestMixtureTest, takes_a_fiftieth_of_the_time_but_at_the_end) {
  best_.add(completed(1, 5), Rank{2});
  best_.next_to_write(false);
  best_.add(done("mixture-best", 0.1));
  best_.add(completed(2, 4), Rank{2});
  clock_.now += 4.9;
  EXPECT_FALSE(best_.next_to_write(false));
  clock_.now += 0.2;
  EXPECT_THAT(best_.next_to_write(false), at(2));
  best_.add(done("mixture-best", 0.1));
  best_.add(completed(3, 3), Rank{2});
  EXPECT_THAT(best_.next_to_write(true), at(3));
}

TEST_F(BestMixtureTest, that_nobody_has_any_more_is_not_waited_for) {
  best_.add(completed(1, 5), Rank{2});
  best_.next_to_write(true);
  best_.add(done(""));
  EXPECT_FALSE(best_.is_written());
  EXPECT_TRUE(best_.is_settled());
}

TEST_F(BestMixtureTest, is_asked_for_again_when_a_worker_was_lost) {
  best_.add(completed(1, 5), Rank{2});
  best_.next_to_write(true);
  best_.go_back(1, Rank{3});
  EXPECT_EQ(best_.best()->keeper, Rank{2}) << "which has it";
  EXPECT_THAT(best_.next_to_write(true), at(1));
  best_.add(done(""));
  EXPECT_TRUE(best_.is_settled());
  best_.go_back(0, Rank{3});
  EXPECT_EQ(best_.best()->keeper, Rank{3}) << "which trains it again";
  EXPECT_THAT(best_.next_to_write(true), at(1));
  best_.add(done("mixture-best"));
  EXPECT_TRUE(best_.is_written());
}

TEST_F(BestMixtureTest, an_answer_to_no_question_is_passed_over) {
  best_.add(completed(1, 5), Rank{2});
  best_.add(done("mixture-best"));
  EXPECT_FALSE(best_.is_written());
}

TEST_F(BestMixtureTest, a_resumed_run_goes_on_with_what_is_written) {
  BestMixture same({{3, {1}, 5}}, {{3, {1}, 5}}, clock_);
  EXPECT_TRUE(same.is_written());
  EXPECT_FALSE(same.next_to_write(true));
  BestMixture other({{3, {1}, 5}}, {{2, {1}, 6}}, clock_);
  EXPECT_FALSE(other.is_written());
  EXPECT_THAT(other.next_to_write(true), at(3, 1));
}

TEST_F(BestMixtureTest, the_best_of_lines_is_that_of_the_first_generations) {
  std::string text = "damaged\n";
  for (const Generation generation : {1U, 2U, 3U}) {
    for (const std::uint32_t cell : {0U, 1U}) {
      text += report::written_line(cell, generation, kTorus) + "\n";
    }
  }
  report::write_text(folder_ / "metrics.jsonl", text);
  EXPECT_THAT(best_of_lines(folder_ / "metrics.jsonl", kTorus, 2), at(2));
  EXPECT_THAT(best_of_lines(folder_ / "metrics.jsonl", kTorus, 0), Eq(std::nullopt));
  EXPECT_THAT(best_of_lines(folder_ / "none", kTorus, 2), Eq(std::nullopt));
}

TEST_F(BestMixtureTest, what_is_written_is_read_where_it_is_ours) {
  make_folder(folder_ / "mixture-best");
  const auto written = [&](const std::string& text) {
    report::write_text(folder_ / "mixture-best/mixture.json", text);
    return written_best(folder_, kTorus);
  };
  EXPECT_THAT(written(R"({"origin": {"generation": 4, "row": 0, "col": 1, "score": 2.5}})"),
              at(4, 1));
  for (const char* bad :
       {"", "[]", R"({"origin": 1})", R"({"origin": {"generation": 4, "row": 0, "col": 1}})",
        R"({"origin": {"generation": 4, "row": 1, "col": 1, "score": 2.5}})",
        R"({"origin": {"generation": -4, "row": 0, "col": 1, "score": 2.5}})"}) {
    EXPECT_THAT(written(bad), Eq(std::nullopt)) << bad;
  }
  EXPECT_THAT(written_best(folder_ / "none", kTorus), Eq(std::nullopt));
}

}  // namespace
}  // namespace lipizz::master::best_mixture_test
