#include "app/launcher.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "core/host.hpp"

namespace lipizz::app::launcher_test {
namespace {

class Launcher : public ::testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static void clear() {
    for (const char* name :
         {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID",
          "OMPI_MCA_orte_enable_recovery", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS",
          "SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", kExitCodeFile}) {
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

TEST_F(Launcher, a_process_knows_whether_others_were_started_beside_it) {
  EXPECT_FALSE(is_one_of_several());
  setenv("SLURM_PROCID", "0", 1);  // the script of a job
  EXPECT_FALSE(is_one_of_several());
  setenv("SLURM_STEP_NUM_TASKS", "1", 1);
  EXPECT_FALSE(is_one_of_several());
  setenv("SLURM_STEP_NUM_TASKS", "2", 1);
  EXPECT_TRUE(is_one_of_several());
  setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  EXPECT_FALSE(is_one_of_several());
  clear();
  setenv("PMI_RANK", "0", 1);  // of a launcher that does not say how many there are
  EXPECT_TRUE(is_one_of_several());
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

TEST_F(Launcher, is_told_the_exit_code_where_it_asks_for_it_and_mpirun_hears_of_none) {
  EXPECT_EQ(code_to_leave_with(75, true), 75);
  EXPECT_EQ(code_to_leave_with(75, false), 75);
  const std::string file = ::testing::TempDir() + "lipizz_exit_code";
  setenv(kExitCodeFile, file.c_str(), 1);
  EXPECT_EQ(code_to_leave_with(75, true), 0);
  int told = 0;
  std::ifstream(file) >> told;
  EXPECT_EQ(told, 75);
  EXPECT_EQ(code_to_leave_with(2, false), 0);
  std::remove(file.c_str());
}

TEST_F(Launcher, that_cannot_be_told_gets_the_code_from_mpirun) {
  setenv(kExitCodeFile, "/nowhere/at/all", 1);
  EXPECT_EQ(code_to_leave_with(75, true), 75);
}

TEST_F(Launcher, a_process_is_named_by_its_host_or_its_job) {
  const std::string pid = "-" + std::to_string(getpid());
  EXPECT_EQ(name_of_process(), host_name().substr(0, host_name().find('.')) + pid);
  setenv("SLURM_JOB_ID", "4712", 1);
  EXPECT_EQ(name_of_process(), "job4712" + pid);
  setenv("SLURM_ARRAY_JOB_ID", "4711", 1);
  setenv("SLURM_ARRAY_TASK_ID", "3", 1);
  EXPECT_EQ(name_of_process(), "job4711_3" + pid);
}

}  // namespace
}  // namespace lipizz::app::launcher_test
