#include "app/replay_plan.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/run_in_process.hpp"
#include "core/error.hpp"
#include "run_folder.hpp"

namespace lipizz::app::replay_plan_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class ReplayPlanTest : public RunsTest {
 protected:
  void train(const config::Experiment& experiment) {
    ASSERT_EQ(run_in_process(experiment, into("run"), 2, clock_), 0);
  }
  ReplayPlan plan_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"replay", (base_ / "run").string()});
    return plan_replay(parse_command_line(arguments));
  }
  void edit_configuration(const std::string& from, const std::string& to) {
    const std::filesystem::path file = base_ / "run" / "config.json";
    std::ifstream in(file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t found = text.find(from);
    ASSERT_NE(found, std::string::npos);
    std::ofstream(file) << text.replace(found, from.size(), to);
    std::filesystem::remove(base_ / "run" / "saved.json");
  }

  const SystemClock clock_;
};

// Three generations of a row of five; the second and third are saved.
TEST_F(ReplayPlanTest, is_the_light_cone_from_the_nearest_state) {
  config::Experiment experiment = small(5);
  experiment.outputs.checkpoint.every = "1";
  train(experiment);
  const ReplayPlan seeded = plan_with({"--generation", "1", "--cell", "0,2"});
  EXPECT_EQ(seeded.cone.start(), 0U);
  EXPECT_EQ(seeded.cone.n_cell_generations(), 1U);
  EXPECT_FALSE(seeded.is_final);
  EXPECT_TRUE(seeded.expected) << "that of the saved generations";
  EXPECT_THAT(described(seeded),
              AllOf(HasSubstr("cell 0,2 of "), HasSubstr("from its seed"),
                    HasSubstr("1 cell-generation of 5"), HasSubstr(" s of CPU time")));
  EXPECT_EQ(plan_with({"--generation", "2"}).cone.start(), 2U);
  const ReplayPlan all = plan_with({"--generation", "2", "--from-seed"});
  EXPECT_EQ(all.cone.n_cell_generations(), 10U);
  EXPECT_THAT(described(all), HasSubstr("all cells of "));
  const ReplayPlan final_one = plan_with({"--generation", "3", "--cell", "0,2", "--from-seed"});
  EXPECT_TRUE(final_one.is_final);
  EXPECT_EQ(final_one.cone.n_cell_generations(), 5U + 5 + 3);
  EXPECT_GT(final_one.cpu_s, 0);
  EXPECT_TRUE(final_one.notes.empty());
}

TEST_F(ReplayPlanTest, says_which_saved_generation_cannot_be_used) {
  config::Experiment experiment = small(2);
  experiment.outputs.checkpoint.every = "1";
  train(experiment);
  const auto file = base_ / "run/checkpoints/generation-000003/cell-0001.safetensors";
  std::filesystem::resize_file(file, 100);
  const ReplayPlan plan = plan_with({"--generation", "3"});
  EXPECT_EQ(plan.cone.start(), 2U);
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_THAT(plan.notes[0], HasSubstr("cell-0001"));
  EXPECT_TRUE(plan_with({"--generation", "2"}).notes.empty()) << "that is beyond it";
  std::filesystem::resize_file(base_ / "run/checkpoints/generation-000003/cell-0000.safetensors",
                               1);
  EXPECT_FALSE(plan_with({"--generation", "2"}).expected);
}

TEST_F(ReplayPlanTest, on_as_many_threads_as_there_are_cells_and_no_more_than_asked_for) {
  train(small(2));
  EXPECT_EQ(plan_with({"--generation", "1", "--set", "threads=1"}).n_threads(), 1U);
  EXPECT_LE(plan_with({"--generation", "1", "--set", "threads=7"}).n_threads(), 2U);
}

TEST_F(ReplayPlanTest, refuses_what_cannot_be_computed_again) {
  train(small(2));
  EXPECT_THROW(plan_with({}), ConfigError) << "no generation";
  EXPECT_THROW(plan_with({"--generation", "4"}), ConfigError);
  EXPECT_THROW(plan_with({"--generation", "1", "--cell", "1,0"}), ConfigError);
  EXPECT_THAT(
      [&] {
        plan_with({"--generation", "1", "--set", "seed=2"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("seed")));
  edit_configuration(R"("device": "cpu")", R"("device": "cuda")");
  EXPECT_THAT(
      [&] {
        plan_with({"--generation", "1"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("GPUs do not give the same bits")));
  edit_configuration(R"("exchange": "sync")", R"("exchange": "async")");
  EXPECT_THAT(
      [&] {
        plan_with({"--generation", "1"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("asynchronous")));
}

TEST_F(ReplayPlanTest, refuses_a_numerics_level_that_is_not_here) {
  train(small(2));
  edit_configuration(R"("numerics": "baseline")", R"("numerics": "avx512")");
  EXPECT_THAT(
      [&] {
        plan_with({"--generation", "1"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("avx512 is asked for")));
}

}  // namespace
}  // namespace lipizz::app::replay_plan_test
