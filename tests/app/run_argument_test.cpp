#include "app/run_argument.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::run_argument_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr grid::Torus kTorus{.rows = 2, .columns = 3};

TEST(RunArgument, a_folder_with_a_configuration_is_a_run) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { run_folder("lineage", folder.path()); },
              ThrowsMessage<ConfigError>(AllOf(HasSubstr("lineage"), HasSubstr("something else"))));
  EXPECT_THAT([&] { run_folder("lineage", folder / "none"); },
              ThrowsMessage<ConfigError>(HasSubstr("found nothing")));
  std::ofstream(folder / "config.json") << R"({"seed": 7})";
  EXPECT_EQ(run_folder("lineage", folder.path() / "."), std::filesystem::canonical(folder.path()));
  EXPECT_EQ(experiment_of_run(folder.path()).seed, 7U);
  std::ofstream(folder / "ensemble.json") << "{}";
  EXPECT_NO_THROW(run_folder("evaluate", folder.path()));
  EXPECT_THAT([&] { trained_folder("watch", folder.path()); },
              ThrowsMessage<ConfigError>(HasSubstr("found an ensemble of runs")));
}

TEST(RunArgument, a_run_without_metrics_has_come_nowhere) {
  const TemporaryFolder folder;
  EXPECT_EQ(metrics_of_run(folder.path(), kTorus).newest(), 0U);
  std::ofstream(folder / "metrics.jsonl") << "damaged\n";
  const RunMetrics metrics = metrics_of_run(folder.path(), kTorus);
  EXPECT_EQ(metrics.n_damaged, 1U);
  EXPECT_TRUE(metrics.lines.empty());
}

TEST(RunArgument, a_cell_is_a_row_and_a_column_of_the_grid) {
  EXPECT_EQ(parse_cell("--cell", "1,2", kTorus), CellId{5});
  for (const char* wrong : {"", "1", "1,2,0", "2,0", "0,3", "a,b", "-1,0", "1, 2", "1.0,2"}) {
    EXPECT_THAT([&] { parse_cell("--cell", wrong, kTorus); },
                ThrowsMessage<ConfigError>(
                    AllOf(HasSubstr("--cell: expected ROW,COLUMN"), HasSubstr("1,2"))))
        << wrong;
  }
}

TEST(RunArgument, a_generation_is_one_to_which_the_run_has_come) {
  EXPECT_EQ(parse_generation("7", 7), 7U);
  for (const char* wrong : {"8", "-1", "x", "", "1.5"}) {
    EXPECT_THAT([&] { parse_generation(wrong, 7); },
                ThrowsMessage<ConfigError>(HasSubstr("up to 7")))
        << wrong;
  }
}

}  // namespace
}  // namespace lipizz::app::run_argument_test
