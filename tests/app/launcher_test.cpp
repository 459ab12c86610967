#include "app/launcher.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "core/error.hpp"

namespace lipizz::app {
namespace {

class Launcher : public ::testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static void clear() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID",
                             "OMPI_MCA_orte_enable_recovery", "OMPI_COMM_WORLD_SIZE",
                             "SLURM_STEP_NUM_TASKS", kExitCodeFile}) {
      unsetenv(name);
    }
  }
};

TEST_F(Launcher, without_one_there_is_no_rank) {
  EXPECT_EQ(launcher_rank(), std::nullopt);
}

TEST_F(Launcher, each_leaves_its_rank) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    clear();
    setenv(name, "12", 1);
    EXPECT_EQ(launcher_rank(), 12) << name;
  }
}

TEST_F(Launcher, mpirun_inside_a_job_knows_better_than_the_job) {
  setenv("SLURM_PROCID", "0", 1);
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  EXPECT_EQ(launcher_rank(), 3);
}

TEST_F(Launcher, what_is_no_number_is_no_rank) {
  setenv("PMI_RANK", "3x", 1);
  EXPECT_EQ(launcher_rank(), std::nullopt);
}

TEST_F(Launcher, tasks_without_mpi_between_them_are_refused) {
  expect_one_task();
  setenv("SLURM_STEP_NUM_TASKS", "1", 1);
  expect_one_task();
  setenv("SLURM_STEP_NUM_TASKS", "4", 1);
  try {
    expect_one_task();
    FAIL() << "four copies of the same";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("srun --mpi=pmix -n 4 lipizz"));
  }
  setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  expect_one_task();
}

TEST_F(Launcher, survives_losses_where_mpirun_was_told_to) {
  EXPECT_FALSE(launcher_survives_losses());
  for (const char* told : {"1", "true"}) {
    setenv("OMPI_MCA_orte_enable_recovery", told, 1);
    EXPECT_TRUE(launcher_survives_losses()) << told;
  }
  for (const char* told : {"0", "false", ""}) {
    setenv("OMPI_MCA_orte_enable_recovery", told, 1);
    EXPECT_FALSE(launcher_survives_losses()) << told;
  }
}

TEST_F(Launcher, is_told_the_exit_code_where_it_asks_for_it) {
  EXPECT_NO_THROW(tell_launcher(75));
  const std::string file = testing::TempDir() + "lipizz_exit_code";
  setenv(kExitCodeFile, file.c_str(), 1);
  tell_launcher(75);
  int told = 0;
  std::ifstream(file) >> told;
  EXPECT_EQ(told, 75);
  std::remove(file.c_str());
}

}  // namespace
}  // namespace lipizz::app
