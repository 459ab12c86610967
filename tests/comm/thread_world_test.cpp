#include "comm/thread_world.hpp"

#include <gmock/gmock.h>

#include "comm/conformance.hpp"
#include "support/faulty_communicator.hpp"

namespace lipizz::comm::thread_world_test {
namespace {

TestWorld faulty_world(std::string name, int n_ranks, int delay_polls) {
  return {std::move(name), [=](const RankBody& body) {
            run_on_threads(n_ranks, [&](Communicator world) {
              body(make_faulty(std::move(world), {.delay_polls = delay_polls}));
            });
          }};
}

TestWorld self_world() {
  return {"self", [](const RankBody& body) { body(self_communicator()); }};
}

INSTANTIATE_TEST_SUITE_P(, CommunicatorConformance,
                         ::testing::Values(self_world(), thread_world(1), thread_world(2),
                                           thread_world(5), thread_world(17),
                                           faulty_world("without_faults", 5, 0),
                                           faulty_world("delayed", 5, 3)),
                         name_of_world);

TEST(ThreadWorld, an_abort_ends_every_call_of_every_rank) {
  run_on_threads(3, [](Communicator world) {
    Communicator twin = world.duplicate("twin");
    world.isend(1, 1, {}, "I have my twin").wait();
    if (world.rank() == 1) {
      for (int from = 0; from < 3; ++from) {
        EXPECT_EQ(world.receive(from, 1, "all have their twins"), Bytes{});
      }
      EXPECT_THAT(error_of([&] { twin.abort(5); }), ::testing::HasSubstr("exit code 5"));
      return;
    }
    const auto reason = ::testing::HasSubstr("rank 1 ended the run with exit code 5");
    EXPECT_THAT(error_of([&] { world.barrier("waiting for rank 1"); }), reason);
    EXPECT_THAT(error_of([&] { world.isend(0, 1, {}, "sending"); }), reason);
    EXPECT_THAT(error_of([&] { static_cast<void>(twin.receive(kAny, kAny, "asking")); }), reason);
  });
}

TEST(ThreadWorld, an_arriving_message_wakes_its_receiver) {
  run_on_threads(2, [](Communicator world) {
    if (world.rank() == 0) {
      world.isend(1, 1, filled(1, 1), "wake up").wait();
      return;
    }
    std::optional<Incoming> incoming;
    while (!(incoming = world.improbe(0, 1, "waking"))) world.wait_for_activity(3600);
    EXPECT_EQ(incoming->n_bytes, 1u);
  });
}

TEST(ThreadWorld, ranks_that_broadcast_different_lengths_are_told) {
  run_on_threads(2, [](Communicator world) {
    const auto n_bytes = static_cast<std::size_t>(10 + world.rank());
    EXPECT_THAT(
        error_of([&] { static_cast<void>(world.ibroadcast(filled(n_bytes, 0), 0, "x").take()); }),
        ::testing::HasSubstr("rank 0 passes 10 bytes, rank 1 11"));
  });
}

TEST(ThreadWorld, a_world_of_nobody_is_refused) {
  EXPECT_THROW(ThreadWorld(0), CommError);
}

}  // namespace
}  // namespace lipizz::comm::thread_world_test
