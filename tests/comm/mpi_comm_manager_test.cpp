#include <gmock/gmock.h>

#include "comm/comm_manager.hpp"
#include "comm/manager_cases.hpp"
#include "comm/mpi_test_world.hpp"

namespace lipizz::comm::mpi_comm_manager_test {
namespace {

INSTANTIATE_TEST_SUITE_P(, CommManagerCases, ::testing::Values(mpi_test_world()), name_of_world);

// A send that stop() has given up keeps its bytes until the receiver takes them.
TEST(MpiCommManager, stop_does_not_wait_for_a_receiver_that_takes_nothing) {
  mpi_test_world().run([](Communicator world) {
    const HurryingClock clock;
    Communicator end = world.duplicate("the end of the test");
    const auto tag = static_cast<int>(MessageKind::kTask);
    AuthenticationKey key{};
    if (end.rank() != 0) {
      key = key_of_run(world);
    } else {
      CommManager manager(std::move(world), clock);
      Inbox inbox;
      manager.start(inbox.handlers());
      manager.send(Rank{1}, MessageKind::kTask, filled(3'000'000, 7));
      manager.stop(60);
    }
    end.barrier("the sender has gone");
    if (end.rank() == 1) {
      const Route route{Scope::kWorld, kMaster, {1}, tag};
      EXPECT_EQ(Authenticator(key).open(route, world.receive(0, tag, "late")),
                filled(3'000'000, 7));
    }
    end.barrier("the end of the test");
  });
}

}  // namespace
}  // namespace lipizz::comm::mpi_comm_manager_test
