#include "worker/worker_parts.hpp"

#include "worker_run.hpp"

namespace lipizz::worker::worker_parts_test {
namespace {

using ::testing::ElementsAre;

class WorkerPartsTest : public WorkerTest {
 protected:
  std::vector<Rank> members(const comm::Assignment& assignment) {
    WorkerContext context(run_plan_, Rank{1}, {});
    comm::ThreadWorld world(2);
    const std::jthread master([&] { comm::CommManager(world.communicator(0), clock_); });
    comm::CommManager comm(world.communicator(1), clock_);
    return WorkerParts(comm, run_plan_, context, clock_).members_of(assignment);
  }
};

TEST_F(WorkerPartsTest, spares_are_members_where_they_may_get_cells) {
  n_workers_ = 4;
  rank_of_cell_ = {1, 3};
  start();
  EXPECT_THAT(members(first_assignment()), ElementsAre(Rank{1}, Rank{3}));
  run_plan_.survives_losses = true;
  EXPECT_THAT(members(first_assignment()), ElementsAre(Rank{1}, Rank{2}, Rank{3}, Rank{4}));
  comm::Assignment later = first_assignment();
  later.lost = {3};
  EXPECT_THAT(members(later), ElementsAre(Rank{1}, Rank{2}, Rank{4}));
  EXPECT_EQ(stop(0), 0);
}

}  // namespace
}  // namespace lipizz::worker::worker_parts_test
