#include "comm/comm_manager.hpp"

#include <gmock/gmock.h>

#include "comm/manager_cases.hpp"
#include "support/faulty_communicator.hpp"

namespace lipizz::comm::comm_manager_test {
namespace {

using ::testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(, CommManagerCases,
                         ::testing::Values(thread_world(2), thread_world(5), thread_world(17)),
                         name_of_world);

TEST(CommManager, an_abort_is_a_failure_on_every_rank) {
  run_on_threads(3, [](Communicator world) {
    const SystemClock clock;
    CommManager manager(std::move(world), clock);
    manager.form_groups(all_workers(3));
    Inbox inbox;
    manager.start(inbox.handlers());
    manager.send(Rank{1}, manager.is_master() ? MessageKind::kPing : MessageKind::kCopy, {});
    if (manager.rank() == Rank{1}) {
      for (int i = 0; i < 3; ++i) static_cast<void>(inbox.next_message());  // all have been set up
      EXPECT_THAT(error_of([&] { manager.abort(3); }), HasSubstr("rank 1"));
    }
    EXPECT_THAT(inbox.next_failure(), HasSubstr("rank 1 ended the run with exit code 3"));
    manager.stop(kFlush_s);
  });
}

TEST(CommManager, a_failing_transport_is_told_once_and_in_its_words) {
  const SystemClock clock;
  Inbox inbox;
  {
    CommManager manager(make_faulty(self_communicator(), {.fail_at_call = 3}), clock);
    manager.start(inbox.handlers());
    EXPECT_THAT(inbox.next_failure(), HasSubstr("messages on WORLD: a fault"));
  }
}

}  // namespace
}  // namespace lipizz::comm::comm_manager_test
