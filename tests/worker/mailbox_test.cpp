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

TEST(Mailbox, keeps_the_last_course) {
  Mailbox mailbox;
  EXPECT_EQ(mailbox.course(), comm::Course{});
  EXPECT_FALSE(mailbox.must_hold(1'000'000));
  mailbox.set({3, 5});
  mailbox.set({4, 7});
  EXPECT_EQ(mailbox.course(), (comm::Course{4, 7}));
  EXPECT_FALSE(mailbox.must_hold(6));
  EXPECT_TRUE(mailbox.must_hold(7));
  EXPECT_TRUE(mailbox.must_hold(8));
}

TEST(Mailbox, is_not_held_before_the_generation_to_hold_from) {
  Mailbox mailbox;
  mailbox.set({comm::Course::kNever, 7});
  EXPECT_TRUE(mailbox.wait_while_held(6));
}

TEST(Mailbox, a_hold_ends_with_a_course_that_goes_on) {
  Mailbox mailbox;
  mailbox.set({comm::Course::kNever, 7});
  std::jthread master([&] {
    mailbox.set({9, 7});  // still held
    mailbox.set({9, 8});
  });
  EXPECT_TRUE(mailbox.wait_while_held(7));
  EXPECT_EQ(mailbox.course().hold_from, 8U);
}

TEST(Mailbox, a_hold_ends_with_a_stop_and_with_a_failure) {
  Mailbox stopped;
  stopped.set({comm::Course::kNever, 7});
  std::jthread master([&] { stopped.stop({75, false}); });
  EXPECT_FALSE(stopped.wait_while_held(7));
  Mailbox cut_off;
  cut_off.set({comm::Course::kNever, 7});
  std::jthread comm([&] { cut_off.fail(std::make_exception_ptr(CommError("lost"))); });
  EXPECT_THROW(cut_off.wait_while_held(7), CommError);
}

// Who has seen the start alone is in a collective call by now, and waits for all others.
TEST(Mailbox, a_stop_right_behind_the_start_does_not_take_it_back) {
  Mailbox mailbox;
  mailbox.start();
  mailbox.stop({70, false});
  EXPECT_TRUE(mailbox.wait_for_start());
  EXPECT_FALSE(mailbox.keep_going());
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
