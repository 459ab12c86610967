#include "app/command_line.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "app/load_experiment.hpp"
#include "core/error.hpp"

namespace lipizz::app::command_line_test {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

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
  EXPECT_STREQ(parse({}).command->words, "train");
  EXPECT_STREQ(parse({"train"}).command->words, "train");
  EXPECT_EQ(load_experiment(parse({}), nullptr), config::Experiment{});
}

TEST(CommandLine, knows_its_commands) {
  EXPECT_STREQ(parse({"config", "check", "x.json"}).command->words, "config check");
  EXPECT_EQ(parse({"config", "check", "x.json"}).arguments, Words{"x.json"});
  EXPECT_STREQ(parse({"config", "print", "--seed", "3"}).command->words, "config print");
  EXPECT_STREQ(parse({"config", "reference"}).command->words, "config reference");
  EXPECT_EQ(parse({"list"}).arguments, Words{});
  EXPECT_EQ(parse({"list", "losses"}).arguments, Words{"losses"});
  EXPECT_STREQ(parse({"train", "--help"}).command->words, "help");
  EXPECT_THAT(parse({"--help"}).arguments, ::testing::IsEmpty());
  EXPECT_THAT(parse({"config", "check", "--help"}).arguments,
              ::testing::ElementsAre("config", "check"));
  EXPECT_STREQ(parse({"help", "train"}).command->words, "help");
  EXPECT_THAT(parse({"help", "config", "check"}).arguments,
              ::testing::ElementsAre("config", "check"));
  EXPECT_STREQ(parse({"--version"}).command->words, "version");
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
  wanted.compute.device = "cpu";
  EXPECT_EQ(load_experiment(line, "/elsewhere"), wanted);
  EXPECT_EQ(line.run.output_dir, "out");
  EXPECT_TRUE(line.run.quiet);
  EXPECT_TRUE(line.run.dry_run);
  EXPECT_EQ(line.run.argv.size(), 15U);
}

TEST(CommandLine, how_long_and_how_often_to_save) {
  EXPECT_EQ(parse({}).run.time_limit_s, std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse({"--time-limit", "90:00"}).run.time_limit_s, 5400);
  EXPECT_THAT(complaint({"--time-limit", "soon"}), HasSubstr("found \"soon\""));
  EXPECT_EQ(load_experiment(parse({"--checkpoint-every", "5"}), nullptr).outputs.checkpoint.every,
            "5");
  EXPECT_EQ(complaint({"config", "print", "--time-limit", "60"}),
            "config print does not take --time-limit");
}

TEST(CommandLine, to_begin_again_goes_with_a_run_that_is_there) {
  EXPECT_FALSE(parse({"--resume", "r"}).run.from_seed);
  EXPECT_TRUE(parse({"--resume", "r", "--from-seed"}).run.from_seed);
  EXPECT_THAT(complaint({"--from-seed"}), HasSubstr("--from-seed goes with --resume RUN"));
  EXPECT_THAT(parse({"launch", "--resume", "r", "--from-seed"}).launch.watching,
              ::testing::ElementsAre("--from-seed"));
}

TEST(CommandLine, a_dry_run_is_for_the_ranks_that_launch_starts) {
  EXPECT_THAT(parse({"launch", "--dry-run"}).launch.watching, ::testing::ElementsAre("--dry-run"));
}

TEST(CommandLine, unknown_options_and_commands_name_the_nearest) {
  EXPECT_EQ(complaint({"--gird", "2x2"}),
            "there is no option --gird; did you mean \"--grid\"? `lipizz --help` lists all");
  EXPECT_THAT(complaint({"--words", "list"}), HasSubstr("there is no option --words"));
  EXPECT_THAT(complaint({"--gen", "2"}), HasSubstr("there is no option --gen"));
  EXPECT_EQ(complaint({"trian"}), "there is no command \"trian\"; did you mean \"train\"?");
  EXPECT_EQ(complaint({"trian", "x"}), "there is no command \"trian\"; did you mean \"train\"?");
  EXPECT_EQ(complaint({"confg", "print"}),
            "there is no command \"confg print\"; did you mean \"config print\"?");
  EXPECT_EQ(complaint({"config", "chekc", "f"}),
            "there is no command \"config chekc\"; did you mean \"config check\"?");
  EXPECT_EQ(complaint({"config"}),
            "there is no command \"config\"; there are config check, config print, config "
            "reference");
  EXPECT_EQ(complaint({"check", "f"}),
            "there is no command \"check\"; did you mean \"config check\"?");
}

TEST(CommandLine, an_empty_path_is_none) {
  EXPECT_EQ(complaint({"--resume", ""}), "--resume: expected a folder, found \"\"");
  EXPECT_EQ(complaint({"launch", "--resume", ""}), "--resume: expected a folder, found \"\"");
  EXPECT_EQ(complaint({"--output", ""}), "--output: expected a folder, found \"\"");
  EXPECT_EQ(complaint({"--config", ""}), "--config: expected a file, found \"\"");
}

TEST(CommandLine, how_many_to_launch_is_a_whole_number_in_its_range) {
  const LaunchOptions asked =
      parse({"launch", "--workers", "3", "--spares", "0", "--restarts", "0"}).launch;
  EXPECT_EQ(asked.workers, 3U);
  EXPECT_EQ(asked.spares, 0U);
  EXPECT_EQ(asked.restarts, 0U);
  EXPECT_EQ(complaint({"launch", "--workers", "-1"}),
            "--workers: expected a whole number from 1 to 65536, found -1");
  EXPECT_EQ(complaint({"launch", "--workers", "0"}),
            "--workers: expected a whole number from 1 to 65536, found 0");
  EXPECT_EQ(complaint({"launch", "--spares", "4000000000"}),
            "--spares: expected a whole number from 0 to 65536, found 4000000000");
  EXPECT_EQ(complaint({"launch", "--restarts", "abc"}),
            "--restarts: expected a whole number from 0 to 1000000, found \"abc\"");
  for (const char* none : {"", "1.5", "+1", "1 ", "4294967297"}) {
    EXPECT_THAT(complaint({"launch", "--workers", none}), HasSubstr("expected a whole number"));
  }
}

TEST(CommandLine, a_command_that_is_an_option_names_it) {
  EXPECT_EQ(complaint({"resume", "runs/a"}),
            "there is no command \"resume\"; did you mean \"--resume\"?");
}

TEST(CommandLine, an_option_that_is_a_setting_names_it) {
  const auto meant = [](const char* option) { return complaint({option, "1"}); };
  EXPECT_EQ(meant("--threads"),
            "there is no option --threads; did you mean \"--set threads=0\"? `lipizz --help` lists "
            "all");
  EXPECT_THAT(meant("--name"), HasSubstr("\"--set name=lipizz\"?"));
  EXPECT_THAT(meant("--model"), HasSubstr("\"--set model=auto\"?"));
  EXPECT_THAT(meant("--engine"), HasSubstr("\"--set engine=auto\"?"));
  EXPECT_THAT(meant("--exchange"), HasSubstr("\"--set exchange=sync\"?"));
  EXPECT_THAT(meant("--loss"), HasSubstr("\"--set generator.loss=bce\"?"));
  EXPECT_THAT(meant("--lerning-rate"), HasSubstr("\"--set generator.learning_rate="));
  EXPECT_THAT(meant("--gpus"), HasSubstr("\"--device\"?"));
  EXPECT_THAT(meant("--gpu"), HasSubstr("\"--device cuda\"?"));
}

TEST(CommandLine, a_short_option_names_the_one_that_begins_so) {
  EXPECT_THAT(complaint({"-q"}), HasSubstr("there is no option -q; did you mean \"--quiet\"?"));
  EXPECT_THAT(complaint({"-n", "3"}), HasSubstr("did you mean \"--workers\"?"));
  EXPECT_THAT(complaint({"-np", "3"}), HasSubstr("did you mean \"--workers\"?"));
  EXPECT_EQ(complaint({"-s"}), "there is no option -s; `lipizz --help` lists all");
}

TEST(CommandLine, what_is_near_to_nothing_suggests_nothing) {
  EXPECT_EQ(complaint({"--foo"}), "there is no option --foo; `lipizz --help` lists all");
  EXPECT_EQ(complaint({"--set", "foo=1"}),
            "--set foo: there is no setting \"foo\"; `lipizz list settings` has all");
}

TEST(CommandLine, what_is_typed_is_shortened) {
  const std::string long_name(100'000, 'A');
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{long_name},
                                                    {"--" + long_name},
                                                    {"train", long_name},
                                                    {"--grid", long_name},
                                                    {"--set", long_name},
                                                    {"--set", long_name + "=1"}}) {
    EXPECT_THAT(complaint(arguments).size(), ::testing::Lt(400U));
  }
}

TEST(CommandLine, words_of_the_field_lead_to_ours) {
  EXPECT_THAT(complaint({"--epochs", "5"}), HasSubstr("did you mean \"--generations\"?"));
  EXPECT_THAT(complaint({"--batch-size", "64"}),
              HasSubstr("did you mean \"--set data.batch_size=100\"?"));
  EXPECT_THAT(complaint({"--lr", "1"}), HasSubstr("did you mean \"--set generator.learning_rate="));
  EXPECT_THAT(complaint({"--learning-rate", "1"}), HasSubstr("generator.learning_rate="));
  EXPECT_EQ(complaint({"config", "validate", "f"}),
            "there is no command \"config validate\"; did you mean \"config check\"?");
  EXPECT_EQ(complaint({"run"}), "there is no command \"run\"; did you mean \"train\"?");
}

TEST(CommandLine, what_a_command_would_not_read_is_refused) {
  EXPECT_EQ(complaint({"train", "x"}), "train: unexpected argument \"x\"");
  EXPECT_EQ(complaint({"config", "check"}), "config check: expected FILE");
  EXPECT_EQ(complaint({"config", "check", "a", "b"}), "config check: unexpected argument \"b\"");
  EXPECT_EQ(complaint({"list", "losses", "--seed", "3"}), "list does not take --seed");
  EXPECT_EQ(complaint({"config", "print", "--quiet"}), "config print does not take --quiet");
  EXPECT_EQ(complaint({"help", "train", "--seed", "3"}), "help does not take --seed");
}

TEST(CommandLine, each_command_of_sweeps_has_options_of_its_own) {
  EXPECT_EQ(complaint({"sweep", "plan", "f", "--retry"}), "sweep plan does not take --retry");
  EXPECT_EQ(complaint({"sweep", "run", "f", "--curves"}), "sweep run does not take --curves");
  EXPECT_EQ(complaint({"sweep", "status", "f", "--tasks", "5"}),
            "sweep status does not take --tasks");
  EXPECT_EQ(complaint({"sweep", "report", "f", "--jobs", "2"}),
            "sweep report does not take --jobs");
  for (const char* verb : {"plan", "run", "status", "report"}) {
    EXPECT_EQ(parse({"sweep", verb, "f", "--output", "d"}).run.output_dir, "d");
  }
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

}  // namespace
}  // namespace lipizz::app::command_line_test
