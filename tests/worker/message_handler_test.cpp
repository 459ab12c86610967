#include "worker/message_handler.hpp"

#include "worker_run.hpp"

namespace lipizz::worker::message_handler_test {
namespace {

using ::testing::HasSubstr;

class MessageHandlerTest : public WorkerTest {};

// GRID-5: the training thread is busy for as long as the test likes.
TEST_F(MessageHandlerTest, answers_heartbeats_while_training_runs) {
  experiment_.seed = coev::fake::kSeedOfEndlessTraining;
  begin();
  static_cast<void>(next(MessageKind::kMetrics));
  comm::Status seen = status();
  while (seen.generation < 2) seen = status();
  for (int ping = 0; ping < 10; ++ping) seen = status();
  EXPECT_EQ(seen.state, comm::WorkerState::kProcessing);
  EXPECT_EQ(seen.generation, 2U);
  EXPECT_EQ(stop(75), 75) << "and a stop ends it";
}

// The first two of four workers have a cell each, and what follows a worker is its buddy; so rank 4
// has nothing of the first cell, and gets it from rank 3.
TEST_F(MessageHandlerTest, a_spare_goes_on_from_copies_that_another_hands_over) {
  const auto expected = undisturbed();
  survives_losses_ = true;
  n_workers_ = 4;
  rank_of_cell_ = {1, 2};
  start();
  assign(first_assignment(), {1, 3, 4});
  static_cast<void>(status());
  assign(first_assignment(), {2});
  wait_until_held(3, {1, {0}, 2});
  wait_until_held(4, {1, {1}, 2});
  EXPECT_EQ(status(4).state, comm::WorkerState::kInactive);
  assign({2, 2, {4, 2}, {3, 2}, {1}}, {2, 3, 4});
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 4).incarnation, 2U);
  EXPECT_EQ(next_of<comm::Metrics>(MessageKind::kMetrics, 4).generation, 3U);
  EXPECT_EQ(fingerprint(4), expected.first);
  wait_until_finished(4);
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 2).incarnation, 1U);
  EXPECT_EQ(next_of<comm::Begun>(MessageKind::kBegun, 2).incarnation, 2U);
  EXPECT_EQ(fingerprint(2), expected.second);
  wait_until_held(3, {2, {0}, 2});  // a buddy of the new host has it of the new incarnation
  EXPECT_EQ(stop(0, comm::Ending::kAlone), 0);
}

TEST_F(MessageHandlerTest, what_it_hands_out_is_held_by_its_buddies) {
  survives_losses_ = true;
  begin();
  assign(first_assignment(), {2});
  for (Generation generation = 1; generation <= 3; ++generation) {
    for (std::uint32_t cell = 0; cell < 2; ++cell) {
      EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld, 2), (comm::Held{1, {cell}, generation}));
    }
  }
  EXPECT_EQ(stop(0), 0);
}

// With four workers, rank 2 follows rank 1 and rank 3 follows that; rank 4 takes the lost one's
// place.
TEST_F(MessageHandlerTest, another_worker_is_the_buddy_once_an_idle_one_is_lost) {
  survives_losses_ = true;
  n_workers_ = 4;
  rank_of_cell_ = {1, 2};
  start();
  assign(first_assignment(), {1});
  tell(MessageKind::kLost, comm::Lost{3}.encode());
  static_cast<void>(status());
  assign(first_assignment(), {4, 2});  // the first gets on only now
  wait_until_held(4, {1, {0}, 3});
  EXPECT_EQ(stop(0, comm::Ending::kAlone), 0);
}

TEST_F(MessageHandlerTest, a_copy_of_an_incarnation_that_is_over_is_not_held) {
  start();
  const auto hand_over = [&](const comm::Held& about) { WorkerTest::hand_over({about, Bytes(5)}); };
  hand_over({1, {0}, 5});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld), (comm::Held{1, {0}, 5}));
  assign({2, 0, {2, 2}, {kNobody, kNobody}, {}}, {1});
  hand_over({1, {0}, 6});
  hand_over({2, {1}, 1});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld), (comm::Held{2, {1}, 1}));
  EXPECT_EQ(stop(0), 0);
}

// It is asked for what it had.
TEST_F(MessageHandlerTest, drops_the_copies_that_nobody_will_go_back_to) {
  start();
  for (const Generation generation : {4U, 5U}) {
    hand_over({{1, {0}, generation}, Bytes(5)});
    wait_until_held(1, {1, {0}, generation});
  }
  tell(MessageKind::kStable, comm::Stable{5}.encode());
  assign({2, 5, {2, 2}, {1, kNobody}, {}}, {1});
  EXPECT_EQ(next_of<comm::Held>(MessageKind::kHeld, 2), (comm::Held{2, {0}, 5}));
  assign({3, 4, {2, 2}, {1, kNobody}, {}}, {1});
  tell(MessageKind::kStop, comm::Stop{}.encode(), 2);
  join();
  EXPECT_THAT(left_[1].error, HasSubstr("rank 1 has no copy of cell 0 at generation 4"));
}

// Such are one for a grid of another size, and those with a cell on a rank that is not there, or on
// the master.
TEST_F(MessageHandlerTest, an_assignment_that_makes_no_sense_cuts_a_worker_off) {
  for (const auto& hosts : {std::vector<std::int32_t>{1}, {1, 3}, {0, 1}}) {
    start();
    comm::Assignment wrong = first_assignment();
    wrong.rank_of_cell = hosts;
    wrong.source_of_cell.assign(hosts.size(), kNobody);
    assign(wrong, {1, 2});
    join();
    EXPECT_THAT(left_[1].error, HasSubstr("an assignment"));
  }
}

// In the middle of a generation that takes for ever.
TEST_F(MessageHandlerTest, saves_the_last_generation_and_leaves_when_the_master_is_silent) {
  experiment_.outputs.checkpoint.every = "off";
  experiment_.seed = coev::fake::kSeedOfEndlessTraining;
  experiment_.comm = {.heartbeat_s = 0.05, .late_after_s = 0.1, .dead_after_s = 0.2};
  begin();
  for (int cell = 0; cell < 2; ++cell) static_cast<void>(next(MessageKind::kMetrics));
  static_cast<void>(status());
  workers_.front().join();
  EXPECT_THAT(left_[1].error, HasSubstr("no word from the master"));
  EXPECT_TRUE(fs::exists(file(1, 0)));
  EXPECT_TRUE(fs::exists(file(1, 1)));
  tell(MessageKind::kStop, comm::Stop{3}.encode(), 2);
  join();
}

}  // namespace
}  // namespace lipizz::worker::message_handler_test
