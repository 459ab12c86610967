#include "app/launcher.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace lipizz::app {
namespace {

class Launcher : public ::testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static void clear() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
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

}  // namespace
}  // namespace lipizz::app
