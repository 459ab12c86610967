#include "app/command_line.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <limits>

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

TEST(CommandLine, nothing_means_train) {
  EXPECT_EQ(parse({}).command, Command::kTrain);
  EXPECT_EQ(parse({"train"}).command, Command::kTrain);
  EXPECT_EQ(load_experiment(parse({}), nullptr), config::Experiment{});
}

TEST(CommandLine, knows_its_commands) {
  EXPECT_EQ(parse({"config", "check", "x.json"}).command, Command::kCheckConfig);
  EXPECT_EQ(parse({"config", "check", "x.json"}).argument, "x.json");
  EXPECT_EQ(parse({"config", "print", "--seed", "3"}).command, Command::kPrintConfig);
  EXPECT_EQ(parse({"config", "reference"}).command, Command::kReference);
  EXPECT_EQ(parse({"list"}).argument, "");
  EXPECT_EQ(parse({"list", "losses"}).argument, "losses");
  EXPECT_EQ(parse({"train", "--help"}).command, Command::kHelp);
  EXPECT_EQ(parse({"--version"}).command, Command::kVersion);
}

TEST(CommandLine, options_reach_the_experiment_and_the_run) {
  const CommandLine line =
      parse({"--grid", "3x5", "--dataset", "mnist", "--data-dir", "/d", "--generations", "7",
             "--seed=9", "--device", "cpu", "--output", "out", "--quiet", "--dry-run"});
  config::Experiment wanted;
  wanted.grid = {3, 5};
  wanted.data.dataset = "mnist";
  wanted.data.dir = "/d";
  wanted.generations = 7;
  wanted.seed = 9;
  wanted.device = "cpu";
  EXPECT_EQ(load_experiment(line, "/elsewhere"), wanted);
  EXPECT_EQ(line.run.output_dir, "out");
  EXPECT_TRUE(line.run.quiet);
  EXPECT_TRUE(line.run.dry_run);
  EXPECT_EQ(line.run.argv.size(), 15U);
}

TEST(CommandLine, an_option_beats_set_beats_the_file_beats_the_default) {
  const std::string file = ::testing::TempDir() + "lipizz_command_line_test.json";
  std::ofstream(file) << R"({"seed": 2, "generations": 2, "threads": 2})";
  const config::Experiment e = load_experiment(
      parse({"--generations", "4", "--set", "seed=3", "--set", "generations=3", "--config", file}),
      nullptr);
  std::remove(file.c_str());
  EXPECT_EQ(e.generations, 4U);
  EXPECT_EQ(e.seed, 3U);
  EXPECT_EQ(e.threads, 2U);
  EXPECT_EQ(e.grid.rows, config::Experiment{}.grid.rows);
}

TEST(CommandLine, the_environment_names_the_data_when_nothing_else_does) {
  EXPECT_EQ(load_experiment(parse({}), "/env").data.dir, "/env");
  EXPECT_EQ(load_experiment(parse({"--set", "data.dir=/set"}), "/env").data.dir, "/set");
}

TEST(CommandLine, how_long_and_how_often_to_save) {
  EXPECT_EQ(parse({}).run.time_limit_s, std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse({"--time-limit", "90:00"}).run.time_limit_s, 5400);
  EXPECT_THAT(complaint({"--time-limit", "soon"}), HasSubstr("found \"soon\""));
  EXPECT_EQ(load_experiment(parse({"--checkpoint-every", "5"}), nullptr).checkpoint.every, "5");
  EXPECT_EQ(complaint({"config", "print", "--time-limit", "60"}),
            "config print does not take --time-limit");
}

// A run's folder with a configuration of its own.
class Resumed : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(run_);
    started_.grid = {3, 5};
    started_.seed = 9;
    started_.generations = 7;
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

TEST(CommandLine, unknown_options_and_commands_name_the_nearest) {
  EXPECT_EQ(complaint({"--gird", "2x2"}),
            "there is no option --gird; did you mean \"--grid\"?; `lipizz --help` lists all");
  EXPECT_THAT(complaint({"--words", "list"}), HasSubstr("there is no option --words"));
  EXPECT_THAT(complaint({"--gen", "2"}), HasSubstr("there is no option --gen"));
  EXPECT_EQ(complaint({"trian"}), "there is no command \"trian\"; did you mean \"train\"?");
  EXPECT_EQ(complaint({"trian", "x"}), "there is no command \"trian\"; did you mean \"train\"?");
  EXPECT_EQ(complaint({"confg", "print"}),
            "there is no command \"confg print\"; did you mean \"config print\"?");
  EXPECT_EQ(complaint({"config", "chekc", "f"}),
            "there is no command \"config chekc\"; did you mean \"config check\"?");
  EXPECT_THAT(complaint({"config"}), HasSubstr("there is no command \"config\"; "));
}

TEST(CommandLine, what_a_command_would_not_read_is_refused) {
  EXPECT_EQ(complaint({"train", "x"}), "train: unexpected argument \"x\"");
  EXPECT_EQ(complaint({"config", "check"}), "config check: expected FILE");
  EXPECT_EQ(complaint({"config", "check", "a", "b"}), "config check: unexpected argument \"b\"");
  EXPECT_EQ(complaint({"list", "losses", "--seed", "3"}), "list does not take --seed");
  EXPECT_EQ(complaint({"config", "print", "--quiet"}), "config print does not take --quiet");
}

TEST(CommandLine, malformed_values_say_what_was_expected) {
  for (const char* grid : {"4", "x4", "4x", "", "four"}) {
    EXPECT_EQ(
        complaint({"--grid", grid}),
        "--grid: expected ROWSxCOLUMNS, for example 4x4; found \"" + std::string(grid) + "\"");
  }
  EXPECT_EQ(complaint({"--grid", "0x4"}),
            "--grid rows: expected a whole number from 1 to 4096, found 0");
  EXPECT_EQ(complaint({"--grid", "2x2x2"}),
            "--grid columns: expected a whole number from 1 to 4096, found \"2x2\"");
  EXPECT_EQ(complaint({"--generations", "ten"}),
            "--generations: expected a whole number from 1 to 1000000, found \"ten\"");
  EXPECT_THAT(complaint({"--seed"}), HasSubstr("--seed"));
  EXPECT_THAT(complaint({"--seed", "1", "--seed", "2"}), HasSubstr("more than once"));
  EXPECT_THAT(complaint({"--set", "seed"}), HasSubstr("expected setting=value"));
}

TEST(CommandLine, help_shows_commands_options_and_settings) {
  for (const char* word : {"config check FILE", "--grid RxC", "--dry-run", "How long to train"}) {
    EXPECT_THAT(help_text(), HasSubstr(word));
  }
}

}  // namespace
}  // namespace lipizz::app
