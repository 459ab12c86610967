#include "report/compared_run.hpp"

#include <gtest/gtest.h>

#include "config/json.hpp"
#include "core/error.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::compared_run_test {
namespace {

constexpr grid::Torus kTorus{.rows = 2, .columns = 2};

class ComparedRunTest : public ::testing::Test {
 protected:
  void write_configuration(const grid::Torus& torus = kTorus) {
    config::Experiment experiment;
    experiment.grid = {.rows = torus.rows, .columns = torus.columns};
    experiment.generator.learning_rate = 0.5;
    write_text(folder_ / "config.json", config::to_json(experiment));
  }
  void write_metrics(const std::string& text) { write_text(folder_ / "metrics.jsonl", text); }
  [[nodiscard]] Generation reached() const {
    return last_generation(folder_ / "metrics.jsonl", kTorus);
  }

  TemporaryFolder folder_;
};

TEST_F(ComparedRunTest, has_its_configuration_and_its_result) {
  write_configuration({1, 2});
  write_text(folder_ / "result.json", master::result_json(result_of_pair()));
  const ComparedRun run = read_compared_run(folder_.path());
  EXPECT_EQ(run.folder, folder_.path());
  EXPECT_EQ(run.experiment.generator.learning_rate, 0.5);
  ASSERT_TRUE(run.result);
  EXPECT_EQ(run.result->score.value, 3);
}

TEST_F(ComparedRunTest, without_result_it_tells_where_it_stands) {
  write_configuration();
  EXPECT_EQ(read_compared_run(folder_.path()).reached, 0);
  write_metrics(written_line(0, 1, kTorus) + "\n" + written_line(3, 2, kTorus) + "\n");
  const ComparedRun run = read_compared_run(folder_.path());
  EXPECT_FALSE(run.result);
  EXPECT_EQ(run.reached, 2);
}

TEST_F(ComparedRunTest, the_last_whole_line_counts) {
  const std::string line = written_line(1, 7, kTorus);
  write_metrics(line + "\n\n" + written_line(1, 8, kTorus).substr(0, 90));
  EXPECT_EQ(reached(), 7);
  write_metrics(line);
  EXPECT_EQ(reached(), 7);
  write_metrics("nothing\n\n\n");
  EXPECT_EQ(reached(), 0);
}

TEST_F(ComparedRunTest, of_a_long_file_the_end_is_enough) {
  const std::string line = written_line(1, 7, kTorus);
  write_metrics(line + "\n" + std::string(1 << 20, 'x') + "\n" + line + "\n");
  EXPECT_EQ(reached(), 7);
  write_metrics(line + "\n" + std::string(1 << 20, 'x') + "\n");
  EXPECT_EQ(reached(), 0);
}

TEST_F(ComparedRunTest, what_no_run_wrote_is_an_error) {
  write_text(folder_ / "config.json", R"({"no_setting": 1})");
  EXPECT_THROW(read_compared_run(folder_.path()), ConfigError);
  write_configuration();
  write_text(folder_ / "result.json", "{");
  EXPECT_THROW(read_compared_run(folder_.path()), CheckpointError);
}

}  // namespace
}  // namespace lipizz::report::compared_run_test
