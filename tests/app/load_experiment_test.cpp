#include "app/load_experiment.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

using ::testing::HasSubstr;

CommandLine parse(std::vector<std::string> arguments) {
  return parse_command_line(arguments);
}

std::string complaint(const std::vector<std::string>& arguments) {
  try {
    load_experiment(parse(arguments), nullptr);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LoadExperiment, an_option_beats_set_beats_the_file_beats_the_default) {
  const std::string file = ::testing::TempDir() + "lipizz_command_line_test.json";
  std::ofstream(file) << R"({"seed": 2, "generations": 2, "threads": 2})";
  const config::Experiment e = load_experiment(
      parse({"--generations", "4", "--set", "seed=3", "--set", "generations=3", "--config", file}),
      nullptr);
  std::remove(file.c_str());
  EXPECT_EQ(e.generations, 4U);
  EXPECT_EQ(e.seed, 3U);
  EXPECT_EQ(e.compute.threads, 2U);
  EXPECT_EQ(e.grid.rows, config::Experiment{}.grid.rows);
}

TEST(LoadExperiment, the_environment_names_the_data_when_nothing_else_does) {
  EXPECT_EQ(load_experiment(parse({}), "/env").data.dir, "/env");
  const auto mnist = parse({"--dataset", "mnist", "--set", "data.dir=/set"});
  EXPECT_EQ(load_experiment(mnist, "/env").data.dir, "/set");
}

TEST(LoadExperiment, a_folder_of_data_that_nothing_reads_is_refused) {
  for (const auto& named :
       {std::vector<std::string>{"--data-dir", "/d"}, {"--set", "data.dir=/d"}}) {
    EXPECT_THROW(load_experiment(parse(named), nullptr), ConfigError);
  }
  EXPECT_EQ(load_experiment(parse({"--data-dir", ""}), "/env").data.dir, "/env");
}

// A run's folder with a configuration of its own.
class Resumed : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(run_);
    started_.grid = {3, 5};
    started_.seed = 9;
    started_.generations = 7;
    started_.data.dataset = "mnist";
    started_.data.dir = "/d";
    std::ofstream(run_ / "config.json") << config::to_json(started_);
  }
  void TearDown() override { std::filesystem::remove_all(run_); }

  std::vector<std::string> with(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"--resume", run_.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  const std::filesystem::path run_ =
      std::filesystem::path(testing::TempDir()) / "lipizz_command_line_test";
  config::Experiment started_;
};

TEST_F(Resumed, takes_the_run_s_own_configuration) {
  const CommandLine line = parse(with({}));
  EXPECT_EQ(line.command, Command::kTrain);
  EXPECT_EQ(line.run.resume_dir, run_);
  EXPECT_EQ(load_experiment(line, "/elsewhere"), started_);
}

TEST_F(Resumed, takes_free_settings_and_those_said_again) {
  config::Experiment wanted = started_;
  wanted.generations = 20;
  wanted.data.dir = "/here";
  wanted.checkpoint.every = "off";
  wanted.comm.dead_after_s = 30;
  EXPECT_EQ(load_experiment(parse(with({"--generations", "20", "--data-dir", "/here", "--seed", "9",
                                        "--checkpoint-every", "off", "--grid", "3x5", "--set",
                                        "comm.dead_after_s=30"})),
                            nullptr),
            wanted);
}

TEST_F(Resumed, refuses_what_would_change_its_results) {
  EXPECT_EQ(complaint(with({"--seed", "10"})),
            "seed: a run is resumed as it was started, with 9, not 10");
  EXPECT_EQ(complaint(with({"--grid", "3x4"})),
            "grid.columns: a run is resumed as it was started, with 5, not 4");
  EXPECT_EQ(complaint(with({"--set", "generator.loss=mse"})),
            "generator.loss: a run is resumed as it was started, with \"bce\", not \"mse\"");
}

TEST_F(Resumed, needs_no_other_configuration_and_no_other_folder) {
  EXPECT_THAT(complaint(with({"--config", "x.json"})), HasSubstr("neither --config nor --output"));
  EXPECT_THAT(complaint(with({"--output", "out"})), HasSubstr("neither --config nor --output"));
}

TEST_F(Resumed, must_be_a_run) {
  EXPECT_THAT(complaint({"--resume", "/nowhere"}), HasSubstr("/nowhere/config.json"));
  EXPECT_EQ(complaint({"config", "print", "--resume", run_.string()}),
            "config print does not take --resume");
}

}  // namespace
}  // namespace lipizz::app
