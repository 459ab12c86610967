#include "worker/mailbox.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "core/error.hpp"

namespace lipizz::worker {
namespace {

TEST(Mailbox, hands_over_tasks_in_order) {
  Mailbox mailbox;
  EXPECT_FALSE(mailbox.poll_task());
  mailbox.post(comm::Task{comm::TaskKind::kImprovedSheet, {1}, 0, Rank{1}});
  mailbox.post(comm::Task{comm::TaskKind::kImprovedSheet, {2}, 0, Rank{1}});
  EXPECT_EQ(mailbox.poll_task()->cell, CellId{1});
  EXPECT_EQ(mailbox.wait_for_task()->cell, CellId{2});
  EXPECT_FALSE(mailbox.poll_task());
}

TEST(Mailbox, waits_for_start_and_for_all_tiles) {
  Mailbox mailbox;
  std::jthread master([&] {
    mailbox.start();
    for (std::uint32_t cell = 0; cell < 3; ++cell) mailbox.post(comm::Tiles{{cell}, {}});
  });
  EXPECT_TRUE(mailbox.wait_for_start());
  EXPECT_EQ(mailbox.wait_for_tiles(3).size(), 3U);
  EXPECT_TRUE(mailbox.keep_going());
}

TEST(Mailbox, a_stop_ends_every_wait_and_the_first_counts) {
  Mailbox mailbox;
  std::jthread master([&] {
    mailbox.stop({4, true});
    mailbox.stop({5, false});
  });
  EXPECT_FALSE(mailbox.wait_for_start());
  EXPECT_FALSE(mailbox.keep_going());
  EXPECT_FALSE(mailbox.wait_for_task());
  EXPECT_TRUE(mailbox.wait_for_tiles(1).empty());
  EXPECT_EQ(mailbox.wait_for_stop(), (comm::Stop{4, true}));
}

TEST(Mailbox, a_failure_is_thrown_by_every_wait) {
  Mailbox mailbox;
  std::jthread comm([&] { mailbox.fail(std::make_exception_ptr(CommError("lost"))); });
  EXPECT_THROW(mailbox.wait_for_start(), CommError);
  EXPECT_THROW(mailbox.wait_for_task(), CommError);
  EXPECT_THROW(mailbox.wait_for_tiles(1), CommError);
  EXPECT_THROW(mailbox.wait_for_stop(), CommError);
  EXPECT_FALSE(mailbox.keep_going());
}

TEST(Mailbox, peers_that_leave_after_the_stop_are_no_failure) {
  Mailbox mailbox;
  mailbox.fail(std::make_exception_ptr(CommError("lost")));
  mailbox.stop({});
  EXPECT_EQ(mailbox.wait_for_stop(), comm::Stop{});
}

}  // namespace
}  // namespace lipizz::worker
