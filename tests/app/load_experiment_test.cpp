#include "app/load_experiment.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "checkpoint/run_checkpoints.hpp"
#include "config/json.hpp"
#include "core/error.hpp"

namespace lipizz::app::load_experiment_test {
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

TEST(LoadExperiment, a_layout_that_is_chosen_is_not_given_as_well) {
  const std::string file = ::testing::TempDir() + "lipizz_load_experiment_layout.json";
  std::ofstream(file) << R"({"layout": "auto", "ranks_per_cell": 4, "generator": {"zero": 3}})";
  const config::Experiment e = load_experiment(parse({"--config", file}), nullptr);
  EXPECT_EQ(e.compute.ranks_per_cell, 1U) << "as an earlier start chose";
  EXPECT_EQ(e.generator.zero, 1U);
  EXPECT_THAT(complaint({"--config", file, "--set", "ranks_per_cell=2"}),
              HasSubstr("layout: auto chooses ranks_per_cell, pipeline.stages, "));
  EXPECT_EQ(
      load_experiment(
          parse({"--config", file, "--set", "layout=given", "--set", "ranks_per_cell=2"}), nullptr)
          .compute.ranks_per_cell,
      2U);
  std::remove(file.c_str());
  EXPECT_THAT(complaint({"--set", "layout=auto", "--set", "generator.zero=3"}),
              HasSubstr("layout=given"));
}

// A run's folder with a configuration of its own.
class Resumed : public ::testing::Test {
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
      std::filesystem::path(::testing::TempDir()) / "lipizz_command_line_test";
  config::Experiment started_;
};

TEST_F(Resumed, takes_the_run_s_own_configuration) {
  const CommandLine line = parse(with({}));
  EXPECT_STREQ(line.command->words, "train");
  EXPECT_EQ(line.run.resume_dir, run_);
  EXPECT_EQ(load_experiment(line, "/elsewhere"), started_);
}

TEST_F(Resumed, takes_free_settings_and_those_said_again) {
  config::Experiment wanted = started_;
  wanted.generations = 20;
  wanted.data.dir = "/here";
  wanted.outputs.checkpoint.every = "off";
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

TEST_F(Resumed, names_what_was_edited_since_something_was_saved) {
  const auto note = [this](const std::string& experiment) {
    checkpoint::RunCheckpoints(run_, 15).note_saved(4, experiment);
  };
  config::Experiment before = started_;
  before.generations = 3;
  note(config::to_json(before));
  EXPECT_EQ(complaint(with({})), "accepted") << "generations may change";
  before.seed = 8;
  note(config::to_json(before));
  EXPECT_EQ(complaint(with({})), (run_ / "config.json").string() +
                                     " was edited: seed: a run is resumed as it was started, with "
                                     "8, not 9");
  for (const std::string& damaged :
       {std::string("{"), std::string("7"), std::string(500'000, '[')}) {
    note(damaged);
    EXPECT_EQ(complaint(with({})), "accepted") << "checkpoints tell by a hash";
  }
}

TEST_F(Resumed, needs_no_other_configuration_and_no_other_folder) {
  EXPECT_THAT(complaint(with({"--config", "x.json"})), HasSubstr("neither --config nor --output"));
  EXPECT_THAT(complaint(with({"--output", "out"})), HasSubstr("neither --config nor --output"));
}

TEST_F(Resumed, must_be_a_run) {
  EXPECT_EQ(complaint({"--resume", "/nowhere"}),
            "--resume /nowhere: expected the folder of a run, found none");
  EXPECT_EQ(complaint({"--resume", "/dev"}),
            "--resume /dev: expected the folder of a run, found a folder without config.json");
  EXPECT_EQ(complaint({"config", "print", "--resume", run_.string()}),
            "config print does not take --resume");
}

TEST_F(Resumed, an_ensemble_is_no_run_to_go_on_with) {
  std::ofstream(run_ / "ensemble.json") << "{}";
  EXPECT_EQ(complaint({"--resume", run_.string()}),
            "--resume " + run_.string() +
                ": expected the folder of a run, found an ensemble, which is not trained any "
                "further");
}

TEST_F(Resumed, what_lies_in_a_run_or_around_one_leads_to_it) {
  std::filesystem::create_directory(run_ / "checkpoints");
  const std::string run = run_.string();
  EXPECT_EQ(complaint({"--resume", run + "/config.json"}),
            "--resume " + run +
                "/config.json: expected the folder of a run, found a file in one; "
                "type --resume " +
                run);
  for (const char* folder : {"/checkpoints", "/checkpoints/"}) {
    EXPECT_EQ(complaint({"--resume", run + folder}),
              "--resume " + run + folder +
                  ": expected the folder of a run, found a folder in one; "
                  "type --resume " +
                  run);
  }
  const std::filesystem::path runs = run_.parent_path() / "lipizz_command_line_test_runs";
  std::filesystem::create_directories(runs / "no-run");
  std::filesystem::copy(run_, runs / "a");
  EXPECT_EQ(complaint({"--resume", runs.string()}),
            "--resume " + runs.string() +
                ": expected the folder of a run, found a folder of runs; "
                "type --resume and one of them, the newest is " +
                (runs / "a").string());
  std::filesystem::remove_all(runs);
}

TEST(LoadExperiment, what_can_be_read_once_is_not_for_many_readers) {
  EXPECT_EQ(
      complaint({"launch", "--config", "/dev/null"}),
      "--config /dev/null: expected a file, since every rank reads it; found what can be read "
      "once");
  EXPECT_THAT(complaint({"--config", "/dev/null"}), HasSubstr("/dev/null:1:1: not valid JSON"));
}

}  // namespace
}  // namespace lipizz::app::load_experiment_test
