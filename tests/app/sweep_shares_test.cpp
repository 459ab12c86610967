#include "app/sweep_shares.hpp"

#include <gmock/gmock.h>

namespace lipizz::app::sweep_shares_test {
namespace {

using ::testing::ElementsAre;

const OwnCores kEight{.cores = {0, 1, 2, 3, 8, 9, 10, 11}, .n = 8};

TEST(OwnCores, are_those_of_this_process_unless_a_scheduler_gave_fewer) {
  const OwnCores own = own_cores(nullptr);
  EXPECT_EQ(own.n, own.cores.size());
  EXPECT_EQ(own_cores("1").n, 1);
  EXPECT_EQ(own_cores("1").cores, own.cores);
  EXPECT_EQ(own_cores("100000").n, own.n);
  EXPECT_EQ(own_cores("").n, own.n);
}

TEST(DefaultJobs, fill_the_cores_with_a_thread_for_each_cell) {
  config::Experiment experiment;
  experiment.grid = {.rows = 2, .columns = 2};
  EXPECT_EQ(default_jobs(kEight, experiment), 2);
  experiment.grid = {.rows = 3, .columns = 3};
  EXPECT_EQ(default_jobs(kEight, experiment), 1);
  experiment.compute.threads = 2;
  EXPECT_EQ(default_jobs(kEight, experiment), 4);
  experiment.compute.threads_per_worker = 4;
  EXPECT_EQ(default_jobs(kEight, experiment), 1);
  experiment.compute.threads_per_worker = 1;
  experiment.grid = {.rows = 1, .columns = 1};
  EXPECT_EQ(default_jobs(kEight, experiment), 8);
  experiment.compute.device = "cuda";
  EXPECT_EQ(default_jobs(kEight, experiment), 1);
}

TEST(Shares, are_as_equal_as_can_be) {
  const auto two = shares(kEight, 2, 1);
  ASSERT_EQ(two.size(), 2);
  EXPECT_EQ(two[0], (CoreShare{.threads = 4, .cores = {0, 1, 2, 3}}));
  EXPECT_EQ(two[1], (CoreShare{.threads = 4, .cores = {8, 9, 10, 11}}));
  const auto three = shares(kEight, 3, 1);
  EXPECT_THAT(three[0].cores, ElementsAre(0, 1));
  EXPECT_THAT(three[1].cores, ElementsAre(2, 3, 8));
  EXPECT_THAT(three[2].cores, ElementsAre(9, 10, 11));
}

TEST(Shares, have_workers_for_their_cores) {
  EXPECT_EQ(shares(kEight, 2, 2)[0].threads, 2);
  EXPECT_EQ(shares(kEight, 4, 3)[0].threads, 1);
}

TEST(Shares, of_more_runs_than_cores_are_kept_to_none) {
  const auto many = shares(kEight, 9, 1);
  ASSERT_EQ(many.size(), 9);
  for (const CoreShare& share : many) EXPECT_EQ(share, CoreShare{});
}

TEST(Shares, of_cores_that_belong_to_others_too_are_kept_to_none) {
  const OwnCores two_of_eight{.cores = kEight.cores, .n = 2};
  EXPECT_EQ(shares(two_of_eight, 1, 1)[0], (CoreShare{.threads = 2, .cores = {}}));
}

}  // namespace
}  // namespace lipizz::app::sweep_shares_test
