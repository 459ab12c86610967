#include "comm/communicator.hpp"

#include <gmock/gmock.h>

#include "comm/test_world.hpp"
#include "support/faulty_communicator.hpp"

namespace lipizz::comm::communicator_test {
namespace {

TEST(Communicator, is_empty_until_it_is_given_a_transport) {
  Communicator communicator;
  EXPECT_FALSE(communicator);
  communicator = self_communicator();
  EXPECT_TRUE(communicator);
  const Communicator taken = std::move(communicator);
  EXPECT_EQ(taken.size(), 1);
}

TEST(Communicator, a_typed_broadcast_of_another_length_is_refused) {
  run_on_threads(2, [](Communicator world) {
    std::vector<int> values(world.rank() == 0 ? 2 : 3);
    EXPECT_THROW(world.broadcast(std::span(values), 0, "values"), CommError);
  });
}

TEST(Request, a_wait_ends_when_the_operation_does) {
  Communicator slow = make_faulty(self_communicator(), {.delay_polls = 40});
  Request send = slow.isend(0, 1, filled(2, 1), "slowly");
  EXPECT_FALSE(send.test());
  send.wait();
  EXPECT_TRUE(send.test());
  EXPECT_EQ(slow.receive(0, 1, "slowly"), filled(2, 1));
}

TEST(FaultyCommunicator, loses_what_it_is_told_to) {
  Communicator lossy =
      make_faulty(self_communicator(), {.drops = [](int, int tag) { return tag == 1; }});
  lossy.isend(0, 1, filled(1, 1), "lost").wait();
  lossy.isend(0, 2, filled(1, 2), "kept").wait();
  EXPECT_EQ(lossy.receive(kAny, kAny, "first to arrive"), filled(1, 2));
  EXPECT_FALSE(lossy.improbe(kAny, kAny, "nothing more"));
}

TEST(FaultyCommunicator, fails_at_the_call_it_is_told_to) {
  Communicator failing = make_faulty(self_communicator(), {.fail_at_call = 2});
  failing.barrier("the first call");
  EXPECT_THAT(error_of([&] { failing.barrier("the second call"); }),
              ::testing::HasSubstr("the second call"));
}

}  // namespace
}  // namespace lipizz::comm::communicator_test
