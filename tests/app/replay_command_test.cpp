#include "app/replay_command.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/run_in_process.hpp"
#include "core/error.hpp"
#include "run_folder.hpp"

namespace lipizz::app::replay_command_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

class ReplayCommand : public RunsTest {
 protected:
  void train(const std::string& name, const config::Experiment& experiment) {
    ASSERT_EQ(run_in_process(experiment, into(name), 2, clock_), 0);
  }
  // From the seed: what a run has saved meanwhile depends on how long it took.
  std::string replay_with(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"replay", (base_ / "run").string(), "--from-seed"});
    std::ostringstream out;
    EXPECT_EQ(replay_command(parse_command_line(arguments), out), 0);
    return out.str();
  }
  static fs::path cell_file(const fs::path& run, const std::string& generation) {
    return run / "checkpoints" / ("generation-00000" + generation) / "cell-0002.safetensors";
  }

  const SystemClock clock_;
};

TEST_F(ReplayCommand, gives_the_bits_that_a_run_to_that_generation_has_saved) {
  config::Experiment experiment = small(5);
  train("run", experiment);
  experiment.generations = 2;
  train("short", experiment);
  const std::string told =
      replay_with({"--generation", "2", "--cell", "0,2", "--output", base_ / "out"});
  EXPECT_EQ(content(cell_file(base_ / "out", "2")), content(cell_file(base_ / "short", "2")));
  EXPECT_THAT(told, AllOf(HasSubstr("4 cell-generations of 10"), HasSubstr("4 of 4 lines"),
                          HasSubstr("fingerprint "), Not(HasSubstr("without mixture/"))));
  EXPECT_TRUE(fs::exists(base_ / "out/mixture/mixture.json"));
}

TEST_F(ReplayCommand, of_the_end_gives_the_fingerprints_of_the_result) {
  train("run", small(5));
  const std::string told = replay_with({"--generation", "3", "--cell", "0,2"});
  const std::string fingerprint = result("run")["cells"][2]["fingerprint"];
  EXPECT_THAT(told, AllOf(HasSubstr("fingerprint " + fingerprint), HasSubstr("saved cells, "),
                          HasSubstr("fingerprints of the result")));
  const fs::path output = base_ / "run/replays/generation-000003-cell-0-2";
  EXPECT_EQ(content(cell_file(output, "3")), content(cell_file(base_ / "run", "3")));
}

TEST_F(ReplayCommand, makes_a_damaged_file_good) {
  train("run", small(5));
  const fs::path saved = cell_file(base_ / "run", "3");
  const std::string whole = content(saved);
  fs::resize_file(saved, whole.size() / 2);
  EXPECT_THAT(replay_with({"--generation", "3", "--cell", "0,2"}), Not(HasSubstr("saved cells")));
  EXPECT_TRUE(content(cell_file(base_ / "run/replays/generation-000003-cell-0-2", "3")) == whole);
}

TEST_F(ReplayCommand, of_all_cells_can_be_gone_on_from) {
  train("run", small(3));
  EXPECT_THAT(replay_with({"--generation", "2", "--output", base_ / "out"}),
              HasSubstr("--resume " + (base_ / "out").string()));
  config::Experiment experiment = small(3);
  RunOptions options = into("none");
  options.output_dir.clear();
  options.resume_dir = base_ / "out";
  ASSERT_EQ(run_in_process(experiment, options, 2, clock_), 0);
  EXPECT_EQ(result("out")["fingerprint"], result("run")["fingerprint"]);
  EXPECT_EQ(metrics("out"), metrics("run"));
}

TEST_F(ReplayCommand, a_dry_run_says_how_much_it_would_be_and_leaves_nothing) {
  train("run", small(5));
  const std::string told = replay_with({"--generation", "2", "--cell", "0,2", "--dry-run"});
  EXPECT_THAT(told, AllOf(HasSubstr("4 cell-generations of 10"), Not(HasSubstr("fingerprint"))));
  EXPECT_FALSE(fs::exists(base_ / "run/replays"));
}

TEST_F(ReplayCommand, overwrites_nothing) {
  train("run", small(1));
  fs::create_directories(base_ / "out");
  EXPECT_THAT(
      [&] {
        replay_with({"--generation", "2", "--output", base_ / "out"});
      },
      ThrowsMessage<ConfigError>(HasSubstr("exists")));
}

TEST_F(ReplayCommand, that_comes_out_otherwise_than_the_run_has_told_leaves_nothing) {
  train("run", small(2));
  config::Experiment other = small(2);
  other.seed = 2;
  train("other", other);
  fs::copy_file(base_ / "other/metrics.jsonl", base_ / "run/metrics.jsonl",
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(
      [&] {
        replay_with({"--generation", "2", "--output", base_ / "out"});
      },
      ThrowsMessage<CheckpointError>(
          AllOf(HasSubstr("metrics.jsonl: cell 0,"), HasSubstr("of generation 1"))));
  EXPECT_FALSE(fs::exists(base_ / "out"));
}

}  // namespace
}  // namespace lipizz::app::replay_command_test
