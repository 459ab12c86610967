#include "app/commands.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "config/json.hpp"
#include "core/error.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::app::commands_test {
namespace {

using ::testing::HasSubstr;

class Commands : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS",
                             "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "LIPIZZ_DATA_DIR"}) {
      unsetenv(name);
    }
  }
  void TearDown() override { SetUp(); }

  int run_with(std::vector<std::string> arguments) {
    return run(
        arguments,
        [this](const LoadExperiment& load, const RunOptions& options) {
          ++n_trainings_;
          trained_ = load();
          options_ = options;
          return 75;
        },
        out_);
  }

  int n_trainings_ = 0;
  config::Experiment trained_;
  RunOptions options_;
  std::ostringstream out_;
};

TEST_F(Commands, train_hands_over_and_returns_its_code) {
  EXPECT_EQ(run_with({"--seed", "5", "--quiet"}), 75);
  EXPECT_EQ(trained_.seed, 5U);
  EXPECT_TRUE(options_.quiet);
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Commands, nothing_at_all_says_how_to_begin_and_trains_nothing) {
  EXPECT_EQ(run_with({}), 2);
  EXPECT_THAT(out_.str(), HasSubstr("lipizz launch "));
  EXPECT_EQ(n_trainings_, 0);
}

TEST_F(Commands, nothing_under_a_launcher_trains) {
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  EXPECT_EQ(run_with({}), 75);
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Commands, help_is_about_what_it_is_asked_for) {
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"help", "launch"}, {"launch", "--help"}, {"launch", "-h"}}) {
    out_.str("");
    EXPECT_EQ(run_with(asked), 0);
    EXPECT_THAT(out_.str(), ::testing::StartsWith("lipizz launch [OPTIONS]"));
  }
  EXPECT_THROW(run_with({"help", "lunch"}), ConfigError);
  EXPECT_EQ(n_trainings_, 0);
}

TEST_F(Commands, a_name_that_is_not_registered_never_trains) {
  EXPECT_THROW(run_with({"--dataset", "mnits"}), ConfigError);
  EXPECT_THROW(run_with({"--device", "gpu"}), ConfigError);
}

TEST_F(Commands, config_print_gives_a_file_that_reads_back) {
  EXPECT_EQ(run_with({"config", "print", "--grid", "3x4"}), 0);
  config::Experiment read;
  config::apply_json(out_.str(), "printed", read);
  config::Experiment wanted;
  wanted.grid = {3, 4};
  EXPECT_EQ(read, wanted);
}

TEST_F(Commands, config_check_says_valid_or_throws) {
  EXPECT_EQ(run_with({"config", "check", LIPIZZ_SOURCE_DIR "/configs/ring8.json"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("ring8.json: valid, 2x2 cells for"));
  EXPECT_THROW(run_with({"config", "check", LIPIZZ_SOURCE_DIR "/configs"}), ConfigError);
  EXPECT_THROW(
      run_with({"config", "check", LIPIZZ_SOURCE_DIR "/tests/setup/invalid/truncated.json"}),
      ConfigError);
}

TEST_F(Commands, list_shows_kinds_and_their_entries) {
  run_with({"list"});
  EXPECT_THAT(out_.str(), HasSubstr("neighbourhoods        which cells are a cell's neighbours\n"));
  run_with({"list", "neighbourhoods"});
  EXPECT_THAT(out_.str(), HasSubstr("isolated  the cell alone\n"));
  run_with({"list", "settings"});
  EXPECT_THAT(out_.str(), HasSubstr("comm.heartbeat_s = 1.0 "));
  run_with({"list", "selections"});
  EXPECT_THAT(out_.str(), HasSubstr("; size = 2 (2 to 1000 members): How many are drawn"));
  run_with({"list", "layers"});
  EXPECT_THAT(out_.str(), HasSubstr("[N, ...] -> [N, shape]; reads shape\n"));
  run_with({"list", "layer-fields"});
  EXPECT_THAT(out_.str(), HasSubstr("stride = a whole number from 1 to 64 "));
  EXPECT_EQ(n_trainings_, 0);
}

TEST_F(Commands, list_models_shows_more_when_asked_to) {
  run_with({"list", "models", "--verbose"});
  EXPECT_THAT(out_.str(), HasSubstr("transposed-convolution"));
  EXPECT_THROW(run_with({"list", "losses", "--verbose"}), ConfigError);
  EXPECT_THROW(run_with({"list", "--verbose"}), ConfigError);
  EXPECT_THROW(run_with({"config", "print", "--verbose"}), ConfigError);
}

TEST_F(Commands, tune_leaves_existing_files_alone) {
  EXPECT_THROW(run_with({"tune", LIPIZZ_SOURCE_DIR "/README.md"}), ConfigError);
  EXPECT_THROW(run_with({"tune"}), ConfigError);
  EXPECT_EQ(n_trainings_, 0);
}

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "done";
}

TEST_F(Commands, tune_measures_nothing_where_it_cannot_write) {
  EXPECT_THAT(complaint_of([&] {
                run_with({"tune", "/nowhere/t.json", "--set", "model=dcgan28"});
              }),
              ::testing::StartsWith("tune: cannot create /nowhere/t.json: No such file"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Commands, tune_of_a_model_without_convolutions_says_so_and_writes_nothing) {
  if (!nn::is_available(nn::Backend::kOneDnn)) GTEST_SKIP() << "a build without oneDNN";
  const std::filesystem::path file = ::testing::TempDir() + "lipizz_commands_test_table.json";
  EXPECT_EQ(complaint_of([&] {
              run_with({"tune", file.string()});
            }),
            "tune: the model mlp has no convolutions; there is nothing to choose");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(Commands, launch_is_refused_by_all_ranks_of_mpirun) {
  setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  try {
    run_with({"launch", "--grid", "1x1"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), ::testing::StartsWith("launch starts mpirun itself; "));
  }
  EXPECT_EQ(n_trainings_, 1);
}

TEST_F(Commands, a_setting_that_is_wrong_in_a_file_names_it) {
  const std::string file = ::testing::TempDir() + "lipizz_commands_test.json";
  std::ofstream(file) << R"({"generator": {"loss": "bse"}})";
  EXPECT_EQ(complaint_of([&] {
              run_with({"--config", file});
            }),
            file + ": generator.loss: there is no \"bse\"; did you mean \"bce\"?");
  EXPECT_EQ(complaint_of([&] {
              run_with({"--config", file, "--set", "generator.loss=msa"});
            }),
            "generator.loss: there is no \"msa\"; did you mean \"mse\"?");
  std::remove(file.c_str());
}

TEST_F(Commands, launch_without_mpirun_names_what_to_install) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const std::string output = ::testing::TempDir() + "lipizz_commands_test_run";
  EXPECT_EQ(complaint_of([&] {
              run_with({"launch", "--grid", "1x1", "--output", output});
            }),
            "cannot start mpirun: No such file or directory; install Open MPI (Debian: "
            "openmpi-bin), or train in one process with lipizz train");
  setenv("PATH", path.c_str(), 1);
}

TEST_F(Commands, tune_is_refused_by_all_ranks_of_a_launcher) {
  setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  EXPECT_THROW(run_with({"tune", "/nowhere/table.json"}), Error);
  EXPECT_EQ(n_trainings_, 1);
}

TEST_F(Commands, under_a_launcher_only_the_first_process_prints) {
  setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  EXPECT_EQ(run_with({"--version"}), 0);
  EXPECT_EQ(out_.str(), "");
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  EXPECT_EQ(run_with({"--version"}), 0);
  EXPECT_THAT(out_.str(), ::testing::StartsWith("lipizz "));
}

TEST_F(Commands, under_a_launcher_a_wrong_command_line_is_for_the_ranks_to_agree_on) {
  EXPECT_THROW(run_with({"--gird", "2x2"}), ConfigError);
  EXPECT_EQ(n_trainings_, 0);
  setenv("PMIX_RANK", "2", 1);
  try {
    run_with({"--gird", "2x2"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("there is no option --gird"));
  }
  EXPECT_EQ(n_trainings_, 1);
}

TEST_F(Commands, output_that_cannot_be_written_is_an_error) {
  out_.setstate(std::ios::badbit);
  EXPECT_THROW(run_with({"list"}), ConfigError);
}

}  // namespace
}  // namespace lipizz::app::commands_test
