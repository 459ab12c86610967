#include "worker/mailbox.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "core/error.hpp"

namespace lipizz::worker::mailbox_test {
namespace {

using comm::Ending;
using Kind = comm::SharedResource::Kind;

comm::Assignment assignment(std::uint32_t incarnation) {
  return {incarnation, 0, {1}, {comm::Assignment::kNobody}, {}};
}

constexpr Generation kDone = 7;

comm::Task task(std::uint32_t cell) {
  return {comm::TaskKind::kImprovedSheet, {cell}, 0, Rank{1}};
}

TEST(Mailbox, keeps_a_task_of_the_next_assignment_until_that_is_taken) {
  Mailbox mailbox;
  mailbox.assign(assignment(2));
  mailbox.post(task(1));
  EXPECT_FALSE(mailbox.poll_task(kDone)) << "of the job before";
  EXPECT_TRUE(mailbox.wait_for_assignment());
  EXPECT_EQ(mailbox.poll_task(kDone)->cell, CellId{1});
}

TEST(Mailbox, hands_over_tasks_in_order) {
  Mailbox mailbox;
  EXPECT_FALSE(mailbox.poll_task(kDone));
  mailbox.post(task(1));
  mailbox.post(task(2));
  EXPECT_EQ(mailbox.poll_task(kDone)->cell, CellId{1});
  EXPECT_EQ(mailbox.wait_for_task()->cell, CellId{2});
  EXPECT_FALSE(mailbox.poll_task(kDone));
}

TEST(Mailbox, keeps_a_task_of_a_generation_that_is_yet_to_be_trained) {
  Mailbox mailbox;
  mailbox.post({comm::TaskKind::kBestMixture, {1}, 8, Rank{1}});
  mailbox.post(task(2));
  EXPECT_EQ(mailbox.poll_task(7)->cell, CellId{2});
  EXPECT_FALSE(mailbox.poll_task(7));
  EXPECT_EQ(mailbox.poll_task(8)->cell, CellId{1});
}

TEST(Mailbox, waits_for_an_assignment_for_resources_and_for_all_samples) {
  Mailbox mailbox;
  std::jthread master([&] {
    mailbox.assign(assignment(1));
    mailbox.post(comm::SharedResource{Kind::kJudge, Bytes(2)});
    mailbox.post(comm::SharedResource{Kind::kDataset, Bytes(1)});
  });
  EXPECT_EQ(mailbox.wait_for_assignment(), assignment(1));
  EXPECT_EQ(mailbox.wait_for_resource(Kind::kDataset)->size(), 1U);
  EXPECT_EQ(mailbox.wait_for_resource(Kind::kJudge)->size(), 2U);
  std::jthread workers([&] {
    for (const std::uint32_t cell : {2U, 0U, 1U, 0U}) mailbox.post(comm::CellSamples{{cell}, {}});
  });
  const auto samples = mailbox.wait_for_samples(3);
  ASSERT_EQ(samples.size(), 3U);
  for (std::uint32_t cell = 0; cell < 3; ++cell) EXPECT_EQ(samples[cell].cell, CellId{cell});
  EXPECT_TRUE(mailbox.keep_going());
}

TEST(Mailbox, keeps_the_last_resource_of_each_kind) {
  Mailbox mailbox;
  mailbox.post(comm::SharedResource{Kind::kJudge, Bytes(2)});
  mailbox.post(comm::SharedResource{Kind::kJudge, Bytes(3)});
  EXPECT_EQ(mailbox.wait_for_resource(Kind::kJudge)->size(), 3U);
  mailbox.assign(assignment(1));
  EXPECT_TRUE(mailbox.wait_for_assignment());
  EXPECT_EQ(mailbox.wait_for_resource(Kind::kJudge)->size(), 3U) << "it may have come early";
}

TEST(Mailbox, the_last_assignment_counts) {
  Mailbox mailbox;
  mailbox.assign(assignment(1));
  mailbox.assign(assignment(2));
  EXPECT_EQ(mailbox.wait_for_assignment(), assignment(2));
  EXPECT_TRUE(mailbox.keep_going());
}

TEST(Mailbox, an_assignment_ends_every_wait_of_the_one_before) {
  Mailbox mailbox;
  mailbox.assign(assignment(1));
  EXPECT_TRUE(mailbox.wait_for_assignment());
  std::jthread master([&] { mailbox.assign(assignment(2)); });
  EXPECT_FALSE(mailbox.wait_for_task());
  EXPECT_FALSE(mailbox.keep_going());
  EXPECT_FALSE(mailbox.wait_for_resource(Kind::kJudge));
  EXPECT_TRUE(mailbox.wait_for_samples(1).empty());
  EXPECT_EQ(mailbox.wait_for_assignment(), assignment(2));
  EXPECT_TRUE(mailbox.keep_going());
}

TEST(Mailbox, an_assignment_forgets_tasks_samples_and_directive) {
  Mailbox mailbox;
  mailbox.set({.save_at = 4, .save_from = 7});
  mailbox.post(task(1));
  mailbox.post(comm::CellSamples{{0}, {}});
  mailbox.assign(assignment(2));
  EXPECT_TRUE(mailbox.wait_for_assignment());
  EXPECT_FALSE(mailbox.must_save(4));
  EXPECT_FALSE(mailbox.must_save(7));
  EXPECT_FALSE(mailbox.poll_task(kDone));
  mailbox.post(comm::CellSamples{{1}, {}});
  EXPECT_EQ(mailbox.wait_for_samples(1).front().cell, CellId{1});
}

TEST(Mailbox, what_comes_behind_an_assignment_is_of_it) {
  Mailbox mailbox;
  mailbox.assign(assignment(2));
  mailbox.set({.save_at = 4});
  mailbox.post(task(1));
  EXPECT_FALSE(mailbox.wait_for_task()) << "not of what is done still";
  EXPECT_TRUE(mailbox.wait_for_assignment());
  EXPECT_TRUE(mailbox.must_save(4));
  EXPECT_EQ(mailbox.wait_for_task()->cell, CellId{1});
}

TEST(Mailbox, remembers_every_generation_to_save) {
  Mailbox mailbox;
  EXPECT_FALSE(mailbox.must_save(3));
  mailbox.set({.save_at = 3});
  mailbox.set({.save_at = 9});
  mailbox.set({});
  for (const Generation generation : {3U, 9U}) EXPECT_TRUE(mailbox.must_save(generation));
  for (const Generation generation : {2U, 4U, 12U}) EXPECT_FALSE(mailbox.must_save(generation));
}

TEST(Mailbox, saves_every_generation_for_as_long_as_it_is_told_to) {
  Mailbox mailbox;
  mailbox.set({.save_from = 7});
  EXPECT_FALSE(mailbox.must_save(6));
  for (const Generation generation : {7U, 8U, 100U}) EXPECT_TRUE(mailbox.must_save(generation));
  mailbox.set({});
  EXPECT_FALSE(mailbox.must_save(8));
}

TEST(Mailbox, a_stop_wins_over_an_assignment) {
  Mailbox mailbox;
  mailbox.assign(assignment(1));
  mailbox.stop({70, Ending::kTogether});
  EXPECT_FALSE(mailbox.wait_for_assignment());
  mailbox.assign(assignment(2));
  EXPECT_FALSE(mailbox.wait_for_assignment());
  EXPECT_FALSE(mailbox.keep_going());
}

TEST(Mailbox, a_stop_ends_every_wait_and_the_first_counts) {
  Mailbox mailbox;
  std::jthread master([&] {
    mailbox.stop({4, Ending::kAborted});
    mailbox.stop({5, Ending::kAlone});
  });
  EXPECT_FALSE(mailbox.wait_for_assignment());
  EXPECT_FALSE(mailbox.keep_going());
  EXPECT_FALSE(mailbox.wait_for_task());
  EXPECT_FALSE(mailbox.wait_for_resource(Kind::kDataset));
  EXPECT_TRUE(mailbox.wait_for_samples(1).empty());
  EXPECT_EQ(mailbox.wait_for_stop(), (comm::Stop{4, Ending::kAborted}));
}

TEST(Mailbox, a_failure_is_thrown_by_every_wait) {
  Mailbox mailbox;
  std::jthread comm([&] { mailbox.fail(std::make_exception_ptr(CommError("lost"))); });
  EXPECT_THROW(mailbox.wait_for_assignment(), CommError);
  EXPECT_THROW(mailbox.wait_for_task(), CommError);
  EXPECT_THROW(mailbox.wait_for_resource(Kind::kDataset), CommError);
  EXPECT_THROW(mailbox.wait_for_samples(1), CommError);
  EXPECT_THROW(mailbox.wait_for_stop(), CommError);
  EXPECT_FALSE(mailbox.keep_going());
}

TEST(Mailbox, peers_that_leave_after_the_stop_are_no_failure) {
  Mailbox mailbox;
  mailbox.fail(std::make_exception_ptr(CommError("lost")));
  mailbox.stop({});
  EXPECT_EQ(mailbox.wait_for_stop(), comm::Stop{});
}

TEST(Mailbox, the_next_assignment_says_who_is_lost) {
  Mailbox mailbox;
  mailbox.lose({3});
  EXPECT_EQ(mailbox.lost(), std::vector{3});
  mailbox.assign({});
  EXPECT_TRUE(mailbox.lost().empty()) << "it may have returned";
}

}  // namespace
}  // namespace lipizz::worker::mailbox_test
